import { crdOf, nearest, pinionKinds, type PinionKind } from '../../../api';
import { UsageError } from '../../command/arguments';
import { exitCodes } from '../../command/exit-codes';
import { textOf } from '../../output/object-text';
import { defineCommand } from '../../command/command';

const help = `pinion crds [options] [KIND...]

Prints the CustomResourceDefinitions of all kinds, or of those that are named (PinterestService, pinterestservices or psvc).

  -o, --output      yaml or json (one List)
`;

/** `pinion crds`: the CustomResourceDefinitions. */
export const crdsCommand = defineCommand({
  help,
  options: { output: { type: 'string', short: 'o', values: ['yaml', 'json'] } },
  subcommands: Object.keys(pinionKinds),
  async run({ positionals, values }, io) {
    const wanted = new Set(positionals.map(kindCalled));
    const kinds = (Object.keys(pinionKinds) as PinionKind[]).filter((kind) => wanted.size === 0 || wanted.has(kind));
    await io.write(textOf(kinds.map(crdOf), values.output === 'json' ? 'json' : 'yaml'));
    return exitCodes.success;
  },
});

function kindCalled(word: string): PinionKind {
  const names = Object.entries(pinionKinds).map(([kind, { plural, singular, shortNames }]) => ({
    kind: kind as PinionKind,
    all: [kind.toLowerCase(), plural, singular, ...shortNames],
  }));
  const found = names.find(({ all }) => all.includes(word.toLowerCase()));
  if (found) return found.kind;
  const guess = nearest(word, Object.keys(pinionKinds));
  throw new UsageError(
    `${word} is no kind; ${guess ? `did you mean ${guess}?` : `use ${Object.keys(pinionKinds).join(', ')}`}`,
  );
}
