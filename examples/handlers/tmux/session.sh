#!/bin/sh
# A handler of the-loop for all events: one coding agent in tmux for each
# session.
#
#   spawn    starts $AGENT in a detached tmux session, in a folder of its own,
#            and tells it what to work on
#   comment  tells it of a new comment
#   update   tells it how its pull request fares
#   alive    says whether the agent is there: exit code 0, or 1 when it is gone
#   close    ends the session, and removes the folder if nothing is lost with it
#
# What people wrote on GitHub is kept in a file, and the agent is told where that
# is. What it is told holds no word of theirs, and is pasted rather than typed: so
# nothing they write is ever run by a shell, taken by tmux for a key or a format,
# or able to end the paste and go on as if typed. It also spares us from reading
# JSON in a shell, and the agent gets all of the event.
#
# A delivery can be repeated, and is told once all the same: tmux remembers it at
# the agent's own pane, so that it is forgotten together with the agent.
#
# Settings, from the environment:
#   AGENT        the agent's command line, run by sh in the session's folder
#   AGENT_READY  what the screen shows when the agent takes input, an extended
#                regular expression; by default anything at all
#   REPO_DIR     the clone of which the folder is made a work tree; a plain, empty
#                folder without it
#   WORK_DIR     the folder of these folders, an absolute path; by default work in
#                the state root
#   TMUX_SOCKET  the name of the tmux server; by default the-loop
#
# Exit code: 0 done, 75 not now but in the next cycle, anything else failed.
set -eu
umask 077

fail() {
	printf '%s: %s\n' "${0##*/}" "$1" >&2
	exit "${2:-1}"
}

# The user's own configuration stays out of it: it could let dead agents stay, or
# end sessions that nobody looks at.
tmux() { command tmux -L "${TMUX_SOCKET:-the-loop}" -f /dev/null "$@"; }

# agent prints the id of the agent's pane, and fails when the agent has ended. It
# is asked for by id since a person may have opened other panes beside it.
agent() { tmux list-panes -s -t "=$session" -F '#{@agent}' 2>/dev/null </dev/null | grep .; }

spawn() {
	workspace </dev/null
	tried=no
	[ ! -e "$work/$event" ] || tried=yes
	save
	if ! pane=$(agent); then
		start
		# That is worth an attempt, or a mistyped AGENT would be tried for ever.
		[ $tried = no ] || fail "the agent ended and is started again: try AGENT by hand in $work"
	fi
	tell "Work on the $THE_LOOP_KIND $THE_LOOP_URL. The file $event says what is known of it;" \
		"read the whole thread on GitHub before you begin. New comments are announced here." \
		"End each comment that you write on GitHub with the line $THE_LOOP_COMMENT_MARKER" \
		"so that it is not announced to you."
}

comment() {
	pane=$(agent) || fail "the agent of $session is gone; 'the-loop sessions restart' starts a new one, and so does the alive handler"
	save
	tell "There is a new comment. The file $event says who wrote it, where and what. Act on it."
}

update() {
	pane=$(agent) || fail "the agent of $session is gone; 'the-loop sessions restart' starts a new one, and so does the alive handler"
	save
	tell "There is news of your pull request. The file $event says which: checks, a conflict, a review or its end. Act on it."
}

alive() { agent >/dev/null || exit 1; }

# close needs two cycles where there is a session: what has just been told to end
# may still be writing in the folder.
close() {
	if tmux kill-session -t "=$session" 2>/dev/null; then
		fail 'the session is ended; its folder is seen to in the next cycle' 75
	fi
	[ -d "$work" ] || return 0
	if [ -n "${REPO_DIR:-}" ]; then
		# Git refuses where something is not committed. The branch stays.
		git -C "$REPO_DIR" worktree remove "$work" || echo "kept $work"
	elif [ "$(ls -A "$work")" = .the-loop ]; then
		rm -r "$work"
	else
		echo "kept $work"
	fi
}

# workspace makes the session's folder. A pull request from a branch called
# issue-7 belongs to issue 7's session, whose comments then come here, too.
workspace() {
	if [ -d "$work" ]; then
		return
	fi
	if [ -z "${REPO_DIR:-}" ]; then
		mkdir -p "$work"
		return
	fi
	branch=$THE_LOOP_KIND-$THE_LOOP_NUMBER
	git -C "$REPO_DIR" worktree prune
	if git -C "$REPO_DIR" show-ref --quiet --verify "refs/heads/$branch"; then
		git -C "$REPO_DIR" worktree add "$work" "$branch"
	else
		git -C "$REPO_DIR" worktree add -b "$branch" "$work"
	fi
}

# save keeps the event for the agent to read: inside its folder, since agents are
# often not let out of it, in one that git does not see.
save() {
	mkdir -p "$work/.the-loop"
	echo '*' >"$work/.the-loop/.gitignore"
	cat >"$work/$event"
	exec </dev/null # what is started from here on must not hold the daemon's pipe
}

# start starts the agent. The first session starts the server, and all later ones
# would get its variables: hence each gets its own.
start() {
	[ -n "${AGENT:-}" ] || fail 'AGENT is not set: it must be the command line of your agent'
	tmux kill-session -t "=$session" 2>/dev/null || : # a person's panes, left without the agent
	pane=$(
		unset THE_LOOP_EVENT THE_LOOP_DELIVERY_ID
		tmux new-session -d -P -F '#{pane_id}' -s "$session" -c "$work" -x 160 -y 50 \
			-e "THE_LOOP_SESSION=$session" -e "THE_LOOP_REF=$THE_LOOP_REF" \
			-e "THE_LOOP_HOST=$THE_LOOP_HOST" -e "THE_LOOP_OWNER=$THE_LOOP_OWNER" \
			-e "THE_LOOP_REPO=$THE_LOOP_REPO" -e "THE_LOOP_NUMBER=$THE_LOOP_NUMBER" \
			-e "THE_LOOP_KIND=$THE_LOOP_KIND" -e "THE_LOOP_URL=$THE_LOOP_URL" \
			-e "THE_LOOP_STATE_ROOT=$THE_LOOP_STATE_ROOT" \
			-e "THE_LOOP_COMMENT_MARKER=$THE_LOOP_COMMENT_MARKER" \
			sh -c "$AGENT"
	)
	tmux set-option -p -t "$pane" @agent "$pane" || fail "the agent ended at once: try AGENT by hand in $work"
}

# tell pastes one line into the agent's pane and presses Enter, which has to stay
# out of the paste. Printable ASCII only, so that nothing in it can be a key.
tell() {
	told=$(tmux show-options -p -qv -t "$pane" "@$THE_LOOP_DELIVERY_ID")
	if [ -n "$told" ]; then
		return
	fi
	[ "$(tmux display-message -p -t "$pane" '#{pane_in_mode}')" = 0 ] ||
		fail 'somebody is scrolling in the pane of the agent' 75 # and would get the Enter
	tmux capture-pane -p -t "$pane" | grep -Eq -e "${AGENT_READY:-[^[:space:]]}" ||
		fail 'the agent is not ready' 75
	printf '%s' "$*" | LC_ALL=C tr -cd ' -~' | tmux load-buffer -b "$session" -
	tmux paste-buffer -dp -b "$session" -t "$pane" \; send-keys -t "$pane" Enter \; \
		set-option -p -t "$pane" "@$THE_LOOP_DELIVERY_ID" told
}

command -v tmux >/dev/null || fail 'tmux is not installed' 2 # which says nothing of the agent
[ -n "${THE_LOOP_SESSION:-}" ] || fail 'it is run by the-loop, as a handler'
session=$THE_LOOP_SESSION
work=${WORK_DIR:-$THE_LOOP_STATE_ROOT/work}/$session
event=.the-loop/$THE_LOOP_DELIVERY_ID.json # in $work

case $THE_LOOP_EVENT in
spawn | comment | update | alive | close) "$THE_LOOP_EVENT" ;;
*) fail "there is no event $THE_LOOP_EVENT" ;;
esac
