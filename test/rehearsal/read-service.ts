/** Fields of a systemd service that determine what runs. */
export interface Service {
  readonly type: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly restart: 'no' | 'always' | 'on-failure';
  readonly restartSeconds: number;
}

/**
 * Parses a service as systemd does: continued lines, quotes, `%%`, `$$`, and `$NAME` that expands to several words.
 *
 * @param read returns the text of an environment file; undefined if it does not exist
 */
export function readService(text: string, read: (path: string) => string | undefined): Service {
  const entries = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const match = /^([A-Za-z]+)=(.*)$/.exec(line);
      return match ? [[match[1] ?? '', match[2] ?? ''] as const] : [];
    });
  const valuesOf = (key: string): string[] => entries.filter(([name]) => name === key).map(([, value]) => value);
  const variables = valuesOf('Environment').flatMap(assignments);
  for (const fileReference of valuesOf('EnvironmentFile')) {
    const path = fileReference.replace(/^-/, '');
    const found = read(path);
    if (found === undefined && !fileReference.startsWith('-')) throw new Error(`there is no environment file ${path}`);
    variables.push(...(found ?? '').split('\n').flatMap((line) => fileAssignment(line)));
  }
  const environment = Object.fromEntries(variables);
  const [restart = 'no'] = valuesOf('Restart');
  if (restart !== 'no' && restart !== 'always' && restart !== 'on-failure')
    throw new Error(`Restart=${restart} is not supported here`);
  return {
    type: valuesOf('Type')[0] ?? 'simple',
    command: splitWords(valuesOf('ExecStart')[0] ?? '').flatMap((word) => expandVariables(word, environment)),
    environment,
    restart,
    restartSeconds: Number(valuesOf('RestartSec')[0] ?? '0.1'),
  };
}

const assignments = (value: string): (readonly [string, string])[] =>
  splitWords(value).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);

/** In an environment file a value extends to the end of its line, without the quotes around it. */
function fileAssignment(line: string): (readonly [string, string])[] {
  const match = /^([A-Za-z_]\w*)=(.*)$/.exec(line.trim());
  return match ? [[match[1] ?? '', (match[2] ?? '').replace(/^(["'])(.*)\1$/, '$2')]] : [];
}

const splitWords = (line: string): string[] =>
  [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g)].map(([word]) =>
    word.replace(/"((?:\\.|[^"\\])*)"/g, (_, inside: string) => inside.replace(/\\(.)/g, '$1')).replaceAll('%%', '%'),
  );

function expandVariables(word: string, environment: Readonly<Record<string, string>>): string[] {
  const variableName = /^\$([A-Za-z_]\w*)$/.exec(word)?.[1];
  if (variableName !== undefined) return (environment[variableName] ?? '').split(/\s+/).filter(Boolean);
  return [word.replaceAll('$$', '$')];
}
