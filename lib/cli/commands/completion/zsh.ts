import { optionFlags, quoted, type CompletionNode } from './completion-nodes';

/** Returns a completion script for zsh, to be sourced after compinit or stored as _pinion in fpath. */
export const zshCompletion = (nodes: readonly CompletionNode[]): string => `#compdef pinion
# Completion of pinion for zsh.
_pinion() {
  local path_= at=2 prev=\${words[CURRENT-1]}
  while ((at < CURRENT)); do
    case "$path_ \${words[at]}" in
      ${nodes.flatMap(({ path }) => (path.length === 0 ? [] : [quoted(pathText(path))])).join(' | ')}) path_="$path_ \${words[at]}" ;;
      *) break ;;
    esac
    ((at++))
  done
  if [[ $PREFIX == --*=* ]]; then
    prev=\${PREFIX%%=*}
    compset -P '*='
  fi
  case "$path_ $prev" in
${nodes.flatMap(valueCases).join('')}  esac
  if [[ $PREFIX == -* ]]; then
    case $path_ in
${nodes.map(flagCase).join('')}    esac
    return
  fi
  if ((CURRENT == at)); then
    local -a offered
    case $path_ in
${nodes
  .filter(({ words }) => words.length > 0)
  .map(wordCase)
  .join('')}    esac
  fi
  _files
}
if [[ $funcstack[1] == _pinion ]]; then _pinion "$@"; else compdef _pinion pinion; fi
`;

/** Returns the path in the format of the script, with a space before each word. */
const pathText = (path: readonly string[]): string => path.map((word) => ` ${word}`).join('');

const compadd = (words: readonly string[]): string => `compadd -- ${words.map(quoted).join(' ')}`;

const valueCases = ({ path, options }: CompletionNode): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map((option) => {
      const flags = optionFlags(option)
        .map((flag) => quoted(`${pathText(path)} ${flag}`))
        .join(' | ');
      const listPrefix = option.isList ? "compset -P '*,'; " : '';
      return `    ${flags}) ${option.values.length === 0 ? '_files' : `${listPrefix}${compadd(option.values)}`}; return ;;\n`;
    });

const flagCase = ({ path, options }: CompletionNode): string =>
  `      ${quoted(pathText(path))}) ${compadd(options.map(({ name }) => `--${name}`))} ;;\n`;

const wordCase = ({ path, words }: CompletionNode): string =>
  `      ${quoted(pathText(path))}) offered=(${words
    .map(({ word, description = '' }) => quoted(`${word}${description && `:${description.replaceAll(':', '\\:')}`}`))
    .join(' ')}); _describe command offered; return ;;\n`;
