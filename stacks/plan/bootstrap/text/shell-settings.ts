/** Settings of a machine's scripts by name: strings, lists of strings, or maps of strings. */
export type ShellSettings = Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>;

/** Returns text quoted for a shell if necessary. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_./:@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns settings as bash assignments, one per line. */
export const shellSettings = (settings: ShellSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `${assignment(name, value)}\n`)
    .join('');

function assignment(name: string, value: ShellSettings[string]): string {
  if (typeof value === 'string') return `${name}=${shellWord(value)}`;
  if (isList(value)) return `${name}=(${value.map(shellWord).join(' ')})`;
  const entries = Object.entries(value).map(([key, text]) => `[${shellWord(key)}]=${shellWord(text)}`);
  return `declare -A ${name}=(${entries.join(' ')})`;
}

const isList = (value: ShellSettings[string]): value is readonly string[] => Array.isArray(value);
