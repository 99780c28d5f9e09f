/** Sections of a systemd unit by name; a list repeats its key. */
type UnitSections = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** Returns the text of a systemd unit. */
export const unitText = (sections: UnitSections): string =>
  Object.entries(sections)
    .map(([section, entries]) => {
      const lines = Object.entries(entries).flatMap(([key, value]) =>
        (typeof value === 'string' ? [value] : value).map((one) => `${key}=${one}\n`),
      );
      return `[${section}]\n${lines.join('')}`;
    })
    .join('\n');

/** Returns an argument escaped for a systemd command line. */
export function unitWord(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /[\s"'\\;]/.test(escaped) ? `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : escaped;
}

/** Returns a command line with one argument per line. */
export const commandText = (program: string, args: readonly string[]): string =>
  [program, ...args.map(unitWord)].join(' \\\n  ');
