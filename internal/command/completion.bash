# Completion of the-loop for bash.

_the_loop() {
    local words=() word previous="" breaks="" prefix="" value rest i
    # bash cuts at these, which stand in the middle of our words.
    [[ $COMP_WORDBREAKS == *=* ]] && breaks+="="
    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=":"
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ -n $breaks && ${#words[@]} -gt 0 && ($word == [$breaks]* || $previous == *[$breaks]) ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        previous=$word
    done
    # What stands before the last cut is there already.
    word=${words[${#words[@]} - 1]}
    if [[ -n $breaks && $word == *[$breaks]* ]]; then
        prefix=${word%"${word##*[$breaks]}"}
    fi
    COMPREPLY=()
    while IFS=$'\t' read -r value rest; do
        case $value in
        :files) compopt -o default 2>/dev/null ;;
        :folders) compopt -o dirnames 2>/dev/null ;;
        *) COMPREPLY+=("${value#"$prefix"}") ;;
        esac
    done < <("$1" __complete "${words[@]}" 2>/dev/null)
}

complete -F _the_loop the-loop
