import { optionFlags, quoted, type CommandLine } from './command-lines';

/** A completion for bash, 3.2 and later. Where nothing of ours fits, bash completes names of files. */
export const bashCompletion = (lines: readonly CommandLine[]): string => `# Completion of pinion for bash.
# The last part of a list with commas, among words; what stands before it is kept.
_pinion_several() {
  local done=
  if [[ $cur == *,* ]]; then done=\${cur%,*},; fi
  COMPREPLY=($(compgen -P "$done" -W "$1" -- "\${cur##*,}"))
}
_pinion() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb=\${COMP_WORDS[1]}
  COMPREPLY=()
  # "=" is a word of its own in bash.
  if [[ $cur == '=' ]]; then cur=
  elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${quoted([...lines.map(({ verb }) => verb), '--help', '--version'].join(' '))} -- "$cur"))
    return
  fi
  case "$verb $prev" in
${lines.flatMap(valueCases).join('')}  esac
  local words=
  case $verb in
${lines.map(wordCase).join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _pinion pinion
`;

const valueCases = ({ verb, options }: CommandLine): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map((option) => {
      const given = optionFlags(option)
        .map((flag) => quoted(`${verb} ${flag}`))
        .join(' | ');
      const among = quoted(option.values.join(' '));
      const offered =
        option.values.length === 0
          ? ''
          : option.takesSeveral
            ? `_pinion_several ${among}; `
            : `COMPREPLY=($(compgen -W ${among} -- "$cur")); `;
      return `    ${given}) ${offered}return ;;\n`;
    });

function wordCase({ verb, words, options }: CommandLine): string {
  const flags = options.map(({ name }) => `--${name}`).join(' ');
  const first = words.length === 0 ? '' : `elif ((COMP_CWORD == 2)); then words=${quoted(words.join(' '))}; `;
  return `    ${verb}) if [[ $cur == -* ]]; then words=${quoted(flags)}; ${first}fi ;;\n`;
}
