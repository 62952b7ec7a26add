#compdef the-loop
# Completion of the-loop for zsh.

_the_loop() {
    local -a lines values
    local line value about
    lines=("${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,$CURRENT]}" 2>/dev/null)}")
    for line in $lines; do
        value=${line%%$'\t'*}
        case $value in
        :files)
            compset -P '*='
            _files
            return
            ;;
        :folders)
            compset -P '*='
            _files -/
            return
            ;;
        ?*)
            about=${line#*$'\t'}
            values+=("${value//:/\\:}${about:+:$about}")
            ;;
        esac
    done
    _describe -t values the-loop values
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _the_loop "$@"
else
    compdef _the_loop the-loop
fi
