# bash completion for gravreel
_gravreel() {
  local line word candidate rest
  line=${COMP_LINE:0:COMP_POINT}
  local words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  word=${words[-1]}
  rest=
  # readline replaces only what stands behind the last = or :
  if [[ $COMP_WORDBREAKS == *=* && $word == *=* ]]; then rest=${word%"${word##*=}"}; fi
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    if [[ $candidate == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "${word#"$rest"}")
    elif [[ -n $candidate ]]; then
      [[ $candidate == *= ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("${candidate#"$rest"}")
    fi
  done < <("$1" --complete "${words[@]:1}" 2>/dev/null)
}
complete -F _gravreel gravreel
