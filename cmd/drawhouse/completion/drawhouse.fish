# Completion of drawhouse in fish: the program itself says what a word may become.
function __drawhouse_words
    set -l typed (commandline -opc)
    set -l word (commandline -ct)
    set -l flag (string match -r -- '^--[^=]*=' "$word")
    set -l begun (string replace -r -- '^--[^=]*=' '' "$word")
    for line in ($typed[1] completion words -- $typed[2..-1] "$word" 2>/dev/null)
        switch $line
            case ':files'
                string replace -r -- '^' "$flag" (__fish_complete_path "$begun")
            case ':folders'
                string replace -r -- '^' "$flag" (__fish_complete_directories "$begun")
            case '*'
                echo $line
        end
    end
end
complete -c drawhouse -f -a '(__drawhouse_words)'
