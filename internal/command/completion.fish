# Completion of the-loop for fish.

function __the_loop_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # Of --config=PATH only the path is a path.
    set -l flag (string match -r '^--[^=]*=' -- "$current")
    set -l path (string replace -r '^--[^=]*=' '' -- "$current")
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files*'
                __fish_complete_path "$path" | string replace -r '^' -- "$flag"
            case ':folders*'
                __fish_complete_directories "$path" | string replace -r '^' -- "$flag"
            case '*'
                echo $line
        end
    end
end

complete -c the-loop -f -a '(__the_loop_complete)'
