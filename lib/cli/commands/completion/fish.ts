import { type CompletedOption, type CompletedWord, type CompletionNode } from './completion-nodes';

/** Returns a completion script for fish, 3 and later. */
export const fishCompletion = (nodes: readonly CompletionNode[]): string => `# Completion of pinion for fish.
function __pinion_path --description 'prints the command path before the cursor'
  set -l words (commandline -opc)
  set -l path
  for word in $words[2..-1]
    switch "$path $word"
      case ${nodes.flatMap(({ path }) => (path.length === 0 ? [] : [quoted(pathText(path))])).join(' ')}
        set path "$path $word"
      case '*'
        break
    end
  end
  printf '%s\\n' "$path"
end
function __pinion_in --description 'whether the command path is this one'
  test (__pinion_path) = "$argv[1]"
end
function __pinion_next --description 'whether the next word follows this command path'
  __pinion_in $argv[1]; and test (count (commandline -opc)) -eq $argv[2]
end
function __pinion_list --description 'the current comma-separated list with each possible next item'
  set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '[^,]*$' '')
  printf '%s\\n' "$before"$argv
end
${nodes.map(linesOf).join('')}`;

/** Returns the path in the format of the script, with a space before each word. */
const pathText = (path: readonly string[]): string => path.map((word) => ` ${word}`).join('');

/** Quotes text for fish, where a backslash escapes. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const doubleQuoted = (text: string): string => `"${text}"`;

function linesOf({ path, words, options }: CompletionNode): string {
  const next = quoted(`__pinion_next ${doubleQuoted(pathText(path))} ${path.length + 1}`);
  const within = quoted(`__pinion_in ${doubleQuoted(pathText(path))}`);
  return [
    ...words.map((word) => `complete -c pinion -n ${next} -f ${wordText(word)}\n`),
    ...options.map((option) => `complete -c pinion -n ${within} ${optionText(option)}\n`),
  ].join('');
}

const wordText = ({ word, description }: CompletedWord): string =>
  `-a ${quoted(word)}${description === undefined ? '' : ` -d ${quoted(description)}`}`;

function optionText({ name, short, description, takesValue, isList, values }: CompletedOption): string {
  const candidates = isList ? `(__pinion_list ${values.join(' ')})` : values.join(' ');
  const value = !takesValue ? '' : values.length === 0 ? ' -r -F' : ` -x -a ${quoted(candidates)}`;
  return `-l ${name}${short === undefined ? '' : ` -s ${short}`}${value} -d ${quoted(description)}`;
}
