import { type CommandLine, type WrittenOption } from './command-lines';

/** A completion for fish, 3 and later. */
export const fishCompletion = (lines: readonly CommandLine[]): string => `# Completion of pinion for fish.
function __pinion_verb --description 'whether the verb is this one, and so many words stand before the cursor'
  set -l words (commandline -opc)
  test "$words[2]" = $argv[1]; or return
  test (count $argv) -eq 1; or test (count $words) -eq $argv[2]
end
function __pinion_several --description 'words after what stands of a list with commas'
  set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '[^,]*$' '')
  printf '%s\\n' "$before"$argv
end
function __pinion_start
  test (count (commandline -opc)) -eq 1
end
complete -c pinion -n __pinion_start -f -l help -s h -d 'prints all verbs'
complete -c pinion -n __pinion_start -f -l version -s V -d 'prints the version of pinion'
${lines.map(linesOf).join('')}`;

/** Text within single quotes of fish, which knows a backslash there. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

function linesOf({ verb, does, words, options }: CommandLine): string {
  const first =
    words.length === 0 ? '' : `complete -c pinion -n '__pinion_verb ${verb} 2' -f -a ${quoted(words.join(' '))}\n`;
  return [
    `complete -c pinion -n __pinion_start -f -a ${verb} -d ${quoted(does)}\n`,
    first,
    ...options.map((option) => `complete -c pinion -n '__pinion_verb ${verb}' ${optionOf(option)}\n`),
  ].join('');
}

function optionOf({ name, short, takesValue, takesSeveral, values }: WrittenOption): string {
  const among = takesSeveral ? `(__pinion_several ${values.join(' ')})` : values.join(' ');
  const value = !takesValue ? '' : values.length === 0 ? ' -r -F' : ` -x -a ${quoted(among)}`;
  return `-l ${name}${short === undefined ? '' : ` -s ${short}`}${value}`;
}
