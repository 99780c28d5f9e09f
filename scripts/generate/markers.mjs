// Replaces a generated part of a page that is otherwise written manually.

/** Replaces the text between the markers of a name with `body`. Throws if the page lacks the markers. */
export function between(page, name, body) {
  const begin = `<!-- ${name}:begin -->`;
  const end = `<!-- ${name}:end -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page lacks the lines ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${body.trim()}\n\n${page.slice(to)}`;
}

/** Returns a page with only a title, a sentence and the markers. */
export const emptyPage = (title, sentence, name) =>
  `# ${title}\n\n${sentence}\n\n<!-- ${name}:begin -->\n<!-- ${name}:end -->\n`;

/** Escapes text for a table cell. */
export const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
