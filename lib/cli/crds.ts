import { crdOf, nearest, pinionKinds, type PinionKind } from '../api';
import { UsageError } from './arguments';
import { exitCodes } from './exit-codes';
import { textOf } from './object-text';
import { verb } from './verb';

const help = `pinion crds [options] [KIND...]

Prints the CustomResourceDefinitions of all kinds, or of those that are named (PinterestService, pinterestservices or psvc).

  -o, --output      yaml or json (one List)
`;

/** `pinion crds`: the CustomResourceDefinitions. */
export const crds = verb({
  help,
  options: { output: { type: 'string', short: 'o', values: ['yaml', 'json'] } },
  words: Object.keys(pinionKinds),
  async run({ words, texts }, io) {
    const wanted = new Set(words.map(kindCalled));
    const kinds = (Object.keys(pinionKinds) as PinionKind[]).filter((kind) => wanted.size === 0 || wanted.has(kind));
    await io.write(textOf(kinds.map(crdOf), texts.output === 'json' ? 'json' : 'yaml'));
    return exitCodes.fine;
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
