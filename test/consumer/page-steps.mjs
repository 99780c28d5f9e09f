// Reads a page as a script: the files and commands of its code blocks, in order.

/**
 * Returns the steps of a page. A block below "`name`:" is a file; one without a language holds commands, one per line; one
 * with the language `text` shows output. A comment in front marks what is not run (`not run: REASON`), or that an empty
 * folder is needed (`in an empty folder`). Throws for a block that is none of these.
 */
export function stepsOf(page) {
  const block =
    /^(?:<!-- (?<mark>[^>]*) -->\n\n|`(?<name>[^`\n]+)`:\n\n)?```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm;
  return [...page.matchAll(block)].flatMap(({ groups: { mark = '', name, language, text } }) => {
    if (name !== undefined) return [{ file: name, text }];
    if (mark.startsWith('not run')) return [];
    if (language === 'text') return [{ output: text }];
    if (language !== '') throw new Error(`a block of the page is neither a file nor commands:\n${text}`);
    return [...(mark === 'in an empty folder' ? [{ emptyFolder: true }] : []), { commands: commandsOf(text) }];
  });
}

const commandsOf = (text) =>
  text
    .split('\n')
    .map((line) => line.replace(/ +#.*$/, ''))
    .filter((line) => line !== '');
