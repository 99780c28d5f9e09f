import { optionFlags, quoted, type CompletionNode } from './completion-nodes';

/** Returns a completion script for bash, 3.2 and later. Bash completes file names if no pinion completion matches. */
export const bashCompletion = (nodes: readonly CompletionNode[]): string => `# Completion of pinion for bash.
# Completes the last item of a comma-separated list and keeps what precedes it.
_pinion_list() {
  local done=
  if [[ $cur == *,* ]]; then done=\${cur%,*},; fi
  COMPREPLY=($(compgen -P "$done" -W "$1" -- "\${cur##*,}"))
}
_pinion() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path= at=1 words=
  COMPREPLY=()
  # Bash treats "=" as a separate word.
  if [[ $cur == '=' ]]; then cur=
  elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  while ((at < COMP_CWORD)); do
    case "$path \${COMP_WORDS[at]}" in
      ${nodes.flatMap(({ path }) => (path.length === 0 ? [] : [quoted(pathText(path))])).join(' | ')}) path="$path \${COMP_WORDS[at]}" ;;
      *) break ;;
    esac
    at=$((at + 1))
  done
  case "$path $prev" in
${nodes.flatMap(valueCases).join('')}  esac
  case $path in
${nodes.map(wordCase).join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _pinion pinion
`;

/** Returns the path in the format of the script, with a space before each word. */
const pathText = (path: readonly string[]): string => path.map((word) => ` ${word}`).join('');

const valueCases = ({ path, options }: CompletionNode): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map((option) => {
      const flags = optionFlags(option)
        .map((flag) => quoted(`${pathText(path)} ${flag}`))
        .join(' | ');
      const values = quoted(option.values.join(' '));
      const completion =
        option.values.length === 0
          ? ''
          : option.isList
            ? `_pinion_list ${values}; `
            : `COMPREPLY=($(compgen -W ${values} -- "$cur")); `;
      return `    ${flags}) ${completion}return ;;\n`;
    });

function wordCase({ path, words, options }: CompletionNode): string {
  const flags = options.map(({ name }) => `--${name}`).join(' ');
  const all = words.map(({ word }) => word).join(' ');
  const first = all === '' ? '' : `elif ((COMP_CWORD == at)); then words=${quoted(all)}; `;
  return `    ${quoted(pathText(path))}) if [[ $cur == -* ]]; then words=${quoted(flags)}; ${first}fi ;;\n`;
}
