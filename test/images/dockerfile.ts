import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '../..');

/** Architectures that images are built for, as Docker names them. */
export const architectures = ['amd64', 'arm64'] as const;

/** A stage of the Dockerfile with its instructions, each as `[name, the rest of the line]`. */
export interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly (readonly [string, string])[];
}

/** Reads the stages of the Dockerfile, in order; it has no continued lines. */
export function readStages(): readonly Stage[] {
  const stages: { name: string; from: string; instructions: [string, string][] }[] = [];
  for (const line of readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n')) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    const [, from = '', name = ''] = instruction === 'FROM' ? (/^(\S+) AS (\S+)$/.exec(rest) ?? []) : [];
    if (instruction === 'FROM') stages.push({ name, from, instructions: [] });
    else if (instruction !== '') stages.at(-1)?.instructions.push([instruction, rest]);
  }
  return stages;
}

/** Returns the names of the targets of images: the stages with an entry point. */
export const programTargets = (): readonly string[] =>
  readStages()
    .filter(({ instructions }) => instructions.some(([instruction]) => instruction === 'ENTRYPOINT'))
    .map(({ name }) => name);

/** Returns the paths that a stage copies from the checkout, for every architecture. */
export const copySources = ({ instructions }: Stage): readonly string[] =>
  instructions
    .filter(([instruction]) => instruction === 'COPY' || instruction === 'ADD')
    .flatMap(([, rest]) =>
      rest
        .split(' ')
        .filter((word) => !word.startsWith('--'))
        .slice(0, -1),
    )
    .flatMap((path) => [...new Set(architectures.map((each) => path.replace('${TARGETARCH}', each)))]);
