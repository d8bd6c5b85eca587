# Completion of drawhouse in fish: the program itself says what a word may become.
function __drawhouse_words
    set -l typed (commandline -opc)
    set -l word (commandline -ct)
    for line in ($typed[1] completion words -- $typed[2..-1] "$word" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$word")
            case ':folders'
                __fish_complete_directories (string replace -r -- '^--[^=]*=' '' "$word")
            case '*'
                echo $line
        end
    end
end
complete -c drawhouse -f -a '(__drawhouse_words)'
