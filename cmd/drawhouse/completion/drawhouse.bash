# Completion of drawhouse in bash: the program itself says what a word may become.
_drawhouse() {
    local line found word=${COMP_WORDS[COMP_CWORD]}
    [ "$word" != "=" ] || word=
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :files | :folders)
            compopt -o filenames
            found=-f
            [ "$line" = :files ] || found=-d
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$found" -- "$word")
            ;;
        *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _drawhouse drawhouse
