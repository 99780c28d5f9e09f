// Text that is kept by hand around a part that is generated.

/** Puts `body` between the markers of a name; the rest of the page stays. Throws where the page lacks them. */
export function between(page, name, body) {
  const begin = `<!-- ${name}:begin -->`;
  const end = `<!-- ${name}:end -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page lacks the lines ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${body.trim()}\n\n${page.slice(to)}`;
}

/** A page with nothing but a title, a sentence and the markers. */
export const emptyPage = (title, sentence, name) =>
  `# ${title}\n\n${sentence}\n\n<!-- ${name}:begin -->\n<!-- ${name}:end -->\n`;

/** Text within a cell of a table. */
export const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
