#!/bin/sh
# Shows a session on its item with a reaction: eyes once the session has started, a
# rocket in their place at the end.
#
#   reaction.sh HANDLER [ARGUMENT…]
#
# It runs HANDLER, which gets the event and decides alone how the delivery ends. The
# reaction is for people and nothing reads it: where gh cannot set it, a line in the
# session's log says so and that is all.
set -u

"$@" || exit

reactions=repos/$THE_LOOP_OWNER/$THE_LOOP_REPO/issues/$THE_LOOP_NUMBER/reactions

# Reacting twice is as good as once: GitHub then answers with the first reaction. So
# it also answers with the id of one that is to be taken off.
react() {
	gh api --hostname "$THE_LOOP_HOST" --method POST --jq .id -f "content=$1" "$reactions" </dev/null ||
		echo "the reaction $1 could not be added" >&2
}

remove() {
	id=$(react "$1")
	case $id in
	'' | *[!0-9]*) return ;;
	esac
	gh api --hostname "$THE_LOOP_HOST" --method DELETE --silent "$reactions/$id" </dev/null ||
		echo "the reaction $1 could not be taken off"
}

case $THE_LOOP_EVENT in
spawn)
	react eyes >/dev/null
	;;
close)
	react rocket >/dev/null
	remove eyes
	;;
esac
exit 0
