import { isDeepStrictEqual } from 'node:util';
import { compareVersions } from './compare-versions';
import { type CustomResourceDefinition } from './definition';
import { type DefinitionFinding } from './definition-finding';
import { definitionErrors } from './definition-errors';

type Change = Omit<DefinitionFinding, 'definition'>;

/** Returns what changes between two sets of definitions, which are paired by name. */
export function compareDefinitionSets(
  before: readonly CustomResourceDefinition[],
  after: readonly CustomResourceDefinition[],
): DefinitionFinding[] {
  const next = new Map(after.map((definition) => [definition.metadata.name, definition]));
  const known = new Set(before.map(({ metadata }) => metadata.name));
  return [
    ...before.flatMap((definition) => {
      const { name } = definition.metadata;
      const other = next.get(name);
      return other ? compareDefinitions(definition, other) : [removedDefinition(name)];
    }),
    ...after.filter(({ metadata }) => !known.has(metadata.name)).flatMap(addedDefinition),
  ];
}

const removedDefinition = (definition: string): DefinitionFinding => ({
  ...{ definition, path: '', class: 'breaks-objects', change: 'definition-removed' },
  reason: 'the definition is missing: deleting it deletes all of its objects',
  remedy: 'keep the definition until no object exists',
});

function addedDefinition(definition: CustomResourceDefinition): DefinitionFinding[] {
  const { name } = definition.metadata;
  const errors = definitionErrors(definition).map((change): DefinitionFinding => ({ definition: name, ...change }));
  if (errors.length > 0) return errors;
  return [{ definition: name, path: '', class: 'safe', change: 'definition-added', reason: 'is new', remedy: 'none' }];
}

/** Returns what changes between two versions of one definition. */
export function compareDefinitions(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): DefinitionFinding[] {
  const definition = after.metadata.name;
  const findings: DefinitionFinding[] = [];
  const report = (change: Change): void => void findings.push({ definition, ...change });
  const former = new Set(definitionErrors(before).map(({ path, change }) => `${path} ${change}`));
  for (const error of definitionErrors(after)) if (!former.has(`${error.path} ${error.change}`)) report(error);
  compareIdentity(before, after, report);
  compareNames(before, after, report);
  compareConversion(before, after, report);
  compareVersions(before, after, (version, change) => report({ version, ...change }));
  return findings;
}

function compareIdentity(
  { spec: from }: CustomResourceDefinition,
  { spec: to }: CustomResourceDefinition,
  report: (change: Change) => void,
): void {
  const immutable: readonly (readonly [path: string, from: string, to: string])[] = [
    ['spec.group', from.group, to.group],
    ['spec.scope', from.scope, to.scope],
    ['spec.names.kind', from.names.kind, to.names.kind],
    ['spec.names.plural', from.names.plural, to.names.plural],
  ];
  for (const [path, former, next] of immutable)
    if (former !== next)
      report({
        ...{ path, class: 'refused', change: 'immutable-field-changed' },
        reason: `changes from ${former} to ${next}, which the API server does not allow`,
        remedy: 'define a new kind, and move the objects to it',
      });
  if (from.preserveUnknownFields === true && to.preserveUnknownFields !== true)
    report({
      ...{ path: 'spec.preserveUnknownFields', class: 'breaks-objects', change: 'unknown-fields-pruned' },
      reason: 'fields that the schema does not have are removed when objects are read',
      remedy:
        'describe all fields that objects have; acknowledge the rest with --allow-pruning spec.preserveUnknownFields',
    });
}

function compareNames(
  { spec: { names: from } }: CustomResourceDefinition,
  { spec: { names: to, group } }: CustomResourceDefinition,
  report: (change: Change) => void,
): void {
  const single = ['singular', 'listKind'] as const;
  for (const key of single) {
    const fallback = key === 'singular' ? to.kind.toLowerCase() : `${to.kind}List`;
    const [former, next] = [from[key] ?? fallback, to[key] ?? fallback];
    const reason = `changes from ${former} to ${next}: clients that use the former name fail`;
    if (former !== next)
      report({
        path: `spec.names.${key}`,
        class: 'breaks-clients',
        change: 'name-changed',
        reason,
        remedy: 'keep the name',
      });
  }
  for (const key of ['shortNames', 'categories'] as const) {
    const removed = (from[key] ?? []).filter((name) => to[key]?.includes(name) !== true);
    const added = (to[key] ?? []).filter((name) => from[key]?.includes(name) !== true);
    const path = `spec.names.${key}`;
    if (removed.length > 0)
      report({
        path,
        class: 'breaks-clients',
        change: 'name-removed',
        reason: `commands that use ${removed.join(', ')} fail`,
        remedy: 'keep the names',
      });
    if (added.length > 0)
      report({
        path,
        class: 'safe',
        change: 'name-added',
        reason: `${added.join(', ')} of ${group} can be used in kubectl`,
        remedy: 'none',
      });
  }
}

function compareConversion(
  { spec: from }: CustomResourceDefinition,
  { spec: to }: CustomResourceDefinition,
  report: (change: Change) => void,
): void {
  const strategy = ({ conversion }: CustomResourceDefinition['spec']): string => conversion?.strategy ?? 'None';
  const path = 'spec.conversion';
  if (strategy(from) === 'Webhook' && strategy(to) === 'None')
    return report({
      ...{ path, class: 'breaks-objects', change: 'conversion-removed' },
      reason:
        'objects stored in another version are read without conversion: fields that the requested version lacks are removed',
      remedy: 'run pinion crds migrate first, and keep one version',
    });
  if (!isDeepStrictEqual(from.conversion ?? { strategy: 'None' }, to.conversion ?? { strategy: 'None' }))
    report({
      ...{
        path,
        class: 'unknown',
        change: 'conversion-changed',
        reason: 'what the webhook returns is not known, and reads fail while it does not respond',
      },
      remedy: 'try it with the stored objects on a scratch API server: --objects and --scratch-context',
    });
}
