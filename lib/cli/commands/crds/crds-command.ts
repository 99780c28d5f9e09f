import { crdOf, nearest, pinionKinds, type PinionKind } from '../../../api';
import { UsageError } from '../../command/usage-error';
import { exitCodes } from '../../command/exit-codes';
import { textOf } from '../../output/object-text';
import { objectOutput } from '../../command/output-options';
import { defineCommand } from '../../command/command';
import { checkDefinitionsCommand } from './check-definitions-command';
import { migrateDefinitionsCommand } from './migrate-command';

/** `pinion crds`. */
export const crdsCommand = defineCommand({
  subcommands: {
    check: {
      summary: 'judge a new version of definitions before it is installed',
      load: () => checkDefinitionsCommand,
    },
    migrate: {
      summary: 'store the objects of definitions in their storage version',
      load: () => migrateDefinitionsCommand,
    },
  },
  arguments: {
    kinds: {
      valueName: 'KIND',
      repeatable: true,
      description: 'kinds by name, plural or short name (default: all)',
      suggestions: Object.keys(pinionKinds),
    },
  },
  options: { output: objectOutput },
  examples: [{ command: 'pinion crds | kubectl apply --server-side -f -' }],
  async run({ args, options }, io) {
    const selected = new Set(args.kinds.map(parseKind));
    const kinds = (Object.keys(pinionKinds) as PinionKind[]).filter((kind) => selected.size === 0 || selected.has(kind));
    await io.write(textOf(kinds.map(crdOf), options.output));
    return exitCodes.success;
  },
});

function parseKind(word: string): PinionKind {
  const names = Object.entries(pinionKinds).map(([kind, { plural, singular, shortNames }]) => ({
    kind: kind as PinionKind,
    all: [kind.toLowerCase(), plural, singular, ...shortNames],
  }));
  const found = names.find(({ all }) => all.includes(word.toLowerCase()));
  if (found) return found.kind;
  const suggestion = nearest(word, Object.keys(pinionKinds));
  throw new UsageError(
    `${word} is not a pinion kind; ${suggestion ? `did you mean ${suggestion}?` : `use ${Object.keys(pinionKinds).join(', ')}`}`,
  );
}
