import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownDefinitions } from '../../lib/cli/commands/crds/read-definitions';
import {
  asDefinition,
  compareDefinitionSets,
  tryObject,
  type CustomResourceDefinition,
  type ObjectTrial,
  type StoredObject,
} from '../../lib/definitions';
import { readDocuments } from '../../lib/yaml';
import { definitionErrors } from '../../lib/definitions/definition-errors';
import { goldenCases } from '../e2e/golden-cases';
import { acknowledgedDowngrade, acknowledgedUpgrade } from './acknowledged-changes';

const folder = join(__dirname, '../e2e/previous-definitions');
const previous = readdirSync(folder).map((file): CustomResourceDefinition => {
  const definition = asDefinition(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  if (!definition) throw new Error(`${file} is no definition`);
  return definition;
});
const own = ownDefinitions();
const named = (
  { metadata }: CustomResourceDefinition,
  all: readonly CustomResourceDefinition[],
): CustomResourceDefinition => {
  const found = all.find((one) => one.metadata.name === metadata.name);
  if (!found) throw new Error(`${metadata.name} is missing`);
  return found;
};
const changedNow = previous.map((definition) => named(definition, own));
const objects = goldenCases.flatMap(({ inputs, platformInputs }) => [
  ...inputs,
  ...platformInputs,
]) as unknown as readonly StoredObject[];

type Direction = readonly [
  string,
  readonly CustomResourceDefinition[],
  readonly CustomResourceDefinition[],
  typeof acknowledgedUpgrade,
];
const directions: readonly Direction[] = [
  ['an upgrade', previous, changedNow, acknowledgedUpgrade],
  ['a downgrade', changedNow, previous, acknowledgedDowngrade],
];

test.each(directions)(
  '%s has only changes that are acknowledged, and all of those',
  (_, before, after, acknowledged) => {
    const found = compareDefinitionSets(before, after).filter((finding) => finding.class !== 'safe');
    const keys = new Set(found.map(({ change, path }) => `${change} ${path}`.trim()));
    expect([...keys].sort()).toEqual(acknowledged.flatMap(({ changes }) => changes).sort());
    expect(found.filter((finding) => finding.class === 'refused' || finding.class === 'unknown')).toEqual([]);
  },
);

/** Returns what a change does to objects of all golden cases. */
const trials = (
  before: readonly CustomResourceDefinition[],
  after: readonly CustomResourceDefinition[],
): ObjectTrial[] =>
  before.flatMap((definition) =>
    objects.flatMap((object): ObjectTrial | [] => tryObject(object, definition, named(definition, after)) ?? []),
  );

test('an upgrade loses nothing of stored objects and rejects no write of them', () => {
  const found = trials(previous, changedNow);
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(({ lost, unknown }) => lost.length + unknown.length > 0)).toEqual([]);
  // Its raw object has variants, which the previous version drops: replicas cannot be combined with them.
  expect(found.filter(({ rejected }) => rejected.length > 0).map(({ object }) => object)).toEqual([
    'PinterestService bookinfo/reviews',
  ]);
});

test('a downgrade loses only what is new, and rejects no write', () => {
  const found = trials(changedNow, previous);
  const fields = acknowledgedDowngrade
    .flatMap(({ changes }) => changes)
    .map((change) => change.replace('field-removed ', ''));
  const lost = new Set(found.flatMap((trial) => trial.lost.map((path) => path.replace(/\[\d+\]/g, '[]'))));
  expect([...lost].filter((path) => !fields.includes(path))).toEqual([]);
  expect(lost.size).toBeGreaterThan(5);
  expect(found.filter(({ rejected, unknown }) => rejected.length + unknown.length > 0)).toEqual([]);
});

test('the API server accepts our definitions, by the rules that are known here', () => {
  expect([...own, ...previous].flatMap(definitionErrors)).toEqual([]);
});

test('the files in crds/ are the definitions of the library', () => {
  const files = join(__dirname, '../../crds');
  const written = readdirSync(files).flatMap((file) =>
    readDocuments(readFileSync(join(files, file), 'utf8'), file).documents.flatMap(
      ({ value }) => asDefinition(value) ?? [],
    ),
  );
  const byName = (one: CustomResourceDefinition, other: CustomResourceDefinition): number =>
    one.metadata.name.localeCompare(other.metadata.name, 'en');
  expect(compareDefinitionSets(own, written)).toEqual([]);
  expect(written.sort(byName).map(({ metadata }) => metadata.name)).toEqual(
    [...own].sort(byName).map(({ metadata }) => metadata.name),
  );
});
