#!/bin/sh
# Shows a session on its item with a label: "working" once the session has started,
# "done" in its place at the end.
#
#   label.sh HANDLER [ARGUMENT…]
#
# It runs HANDLER, which gets the event and decides alone how the delivery ends. The
# label is for people and nothing reads it: where gh cannot set it, a line in the
# session's log says so and that is all.
#
#   LABEL_WORKING  the first label, "working" unless set
#   LABEL_DONE     the second, "done" unless set
set -u

"$@" || exit

labels=repos/$THE_LOOP_OWNER/$THE_LOOP_REPO/issues/$THE_LOOP_NUMBER/labels
working=${LABEL_WORKING:-working}
done=${LABEL_DONE:-done}

# Adding a label twice is as good as once, so a repeated delivery does no harm.
add() {
	printf '{"labels":["%s"]}' "$1" |
		gh api --hostname "$THE_LOOP_HOST" --method POST --silent --input - "$labels" ||
		echo "the label $1 could not be added"
}

# The one that is taken off may be gone already.
remove() {
	gh api --hostname "$THE_LOOP_HOST" --method DELETE --silent "$labels/$1" </dev/null ||
		echo "the label $1 could not be taken off"
}

case $THE_LOOP_EVENT in
spawn)
	add "$working"
	;;
close)
	add "$done"
	remove "$working"
	;;
esac
exit 0
