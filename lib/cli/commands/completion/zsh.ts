import { optionFlags, quoted, type CommandLine } from './command-lines';

/** A completion for zsh, to be sourced after compinit or kept as _pinion in fpath. */
export const zshCompletion = (lines: readonly CommandLine[]): string => `#compdef pinion
# Completion of pinion for zsh.
_pinion() {
  local verb=\${words[2]} prev=\${words[CURRENT-1]}
  if ((CURRENT == 2)); then
    local -a verbs=(
${lines.map(({ verb, does }) => `      ${quoted(`${verb}:${does.replaceAll(':', '\\:')}`)}\n`).join('')}    )
    if [[ $PREFIX == -* ]]; then compadd -- --help --version; else _describe verb verbs; fi
    return
  fi
  if [[ $PREFIX == --*=* ]]; then
    prev=\${PREFIX%%=*}
    compset -P '*='
  fi
  case "$verb $prev" in
${lines.flatMap(valueCases).join('')}  esac
  if [[ $PREFIX == -* ]]; then
    case $verb in
${lines.map(flagCase).join('')}    esac
    return
  fi
  if ((CURRENT == 3)); then
    case $verb in
${lines
  .filter(({ words }) => words.length > 0)
  .map(wordCase)
  .join('')}    esac
  fi
  _files
}
if [[ $funcstack[1] == _pinion ]]; then _pinion "$@"; else compdef _pinion pinion; fi
`;

const offer = (words: readonly string[]): string => `compadd -- ${words.map(quoted).join(' ')}`;

const valueCases = ({ verb, options }: CommandLine): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map((option) => {
      const given = optionFlags(option)
        .map((flag) => quoted(`${verb} ${flag}`))
        .join(' | ');
      const cut = option.takesSeveral ? "compset -P '*,'; " : '';
      return `    ${given}) ${option.values.length === 0 ? '_files' : `${cut}${offer(option.values)}`}; return ;;\n`;
    });

const flagCase = ({ verb, options }: CommandLine): string =>
  options.length === 0 ? '' : `      ${verb}) ${offer(options.map(({ name }) => `--${name}`))} ;;\n`;

const wordCase = ({ verb, words }: CommandLine): string => `      ${verb}) ${offer(words)}; return ;;\n`;
