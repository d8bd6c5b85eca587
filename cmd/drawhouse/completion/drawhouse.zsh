#compdef drawhouse
# Completion of drawhouse in zsh: the program itself says what a word may become.
_drawhouse() {
    local line
    local -a found
    while IFS= read -r line; do
        case $line in
        :files | :folders)
            [[ $PREFIX == --*=* ]] && compset -P '*='
            if [[ $line == :files ]]; then _files; else _files -/; fi
            return
            ;;
        *$'\t'*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        *) found+=("${line//:/\\:}") ;;
        esac
    done < <(${words[1]} completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
    _describe drawhouse found
}
if [[ ${funcstack[1]} == _drawhouse ]]; then
    _drawhouse "$@"
else
    compdef _drawhouse drawhouse
fi
