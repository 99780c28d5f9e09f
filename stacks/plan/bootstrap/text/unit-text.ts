/** Sections of a systemd unit by name; a list repeats its key. */
type UnitSections = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** Text of a systemd unit. */
export const unitText = (sections: UnitSections): string =>
  Object.entries(sections)
    .map(([section, entries]) => {
      const lines = Object.entries(entries).flatMap(([key, value]) =>
        (typeof value === 'string' ? [value] : value).map((one) => `${key}=${one}\n`),
      );
      return `[${section}]\n${lines.join('')}`;
    })
    .join('\n');

/** A word of a command line that systemd takes literally. */
export function unitWord(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /[\s"'\\;]/.test(escaped) ? `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : escaped;
}

/** A command line over several lines, one argument each. */
export const commandText = (program: string, args: readonly string[]): string =>
  [program, ...args.map(unitWord)].join(' \\\n  ');
