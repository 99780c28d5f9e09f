import { resolvePlatform } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { conditionsOf, expected, hasEnded } from './objects-verdict';
import { documentOf, restarts, type Said } from './population';
import { ownerOf, type Sight } from './sight';
import { keyOf, type Story, type User } from './user';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with the workloads: an update that was lost, one that is gone or came back, a status that is old. */
export function storiesVerdict(sight: Sight, user: User): string[] {
  const stored = new Map([...sight.documents.values()].map((document) => [keyOf(document), document]));
  const problems: string[] = [];
  for (const key of user.gone.keys()) if (stored.has(key)) problems.push(`${key} was deleted and is there`);
  for (const [key, document] of stored)
    if (!user.stories.has(key)) problems.push(`${key} was never applied: ${document.metadata.uid}`);
  for (const [key, { said }] of user.stories) {
    const document = stored.get(key);
    if (!document) problems.push(`${key} was applied and is not there`);
    else
      problems.push(...[lost(said, document), ...stale(document)].flatMap((what) => (what ? [`${key} ${what}`] : [])));
  }
  return problems;
}

const lost = ({ spec }: Said, document: LiveObject): string | undefined =>
  contains(document['spec'], spec)
    ? undefined
    : `has lost an update: ${JSON.stringify(spec)} became ${JSON.stringify(document['spec'])}`;

/** Whether a stored value says all that a wanted one says; the server adds defaults. */
function contains(stored: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return stored === wanted;
  if (typeof stored !== 'object' || stored === null) return false;
  return Object.entries(wanted).every(([key, value]) => contains((stored as Fields)[key], value));
}

function stale(document: LiveObject): string[] {
  const status = (document['status'] ?? {}) as Fields;
  if (status['observedGeneration'] !== document.metadata.generation)
    return [`is of generation ${document.metadata.generation}, its status of ${String(status['observedGeneration'])}`];
  if (isJob(document)) {
    const isSuspended = (document['spec'] as Fields)['suspend'] === true;
    return isSuspended || hasEnded(document) ? [] : [`has not ended: ${JSON.stringify(conditionsOf(document))}`];
  }
  const isReady = conditionsOf(document).some(({ type, status: value }) => type === 'Ready' && value === 'True');
  return isReady
    ? []
    : [`is not Ready: ${JSON.stringify({ conditions: conditionsOf(document), cause: status['cause'] })}`];
}

const isJob = ({ kind }: LiveObject): boolean => kind === 'PinterestJobSet' || kind === 'PinterestTrainingJob';

/** Whether work that fails was started anew as often as it is to be, and its Jobs made no more often than that. */
export function restartsVerdict(sight: Sight, said: Said, made: ReadonlyMap<string, number>): string[] {
  const document = [...sight.documents.values()].find((one) => keyOf(one) === keyOf(said));
  const counted = (document?.['status'] as Fields | undefined)?.['restarts'];
  const jobs = [...made].filter(([name]) => name === said.metadata.name || name.startsWith(`${said.metadata.name}-`));
  return [
    ...(counted === restarts ? [] : [`${keyOf(said)} counts ${String(counted)} restarts`]),
    ...(jobs.length > 0 ? [] : [`no Job of ${keyOf(said)} was made`]),
    ...jobs.flatMap(([name, count]) => (count <= restarts + 1 ? [] : [`Job ${name} was made ${count} times`])),
  ];
}

/** What there was of workloads that nobody touches, to be found again. */
export type Stillness = ReadonlyMap<string, readonly string[]>;

/** Pods, and what makes them, of the workloads that nobody touches. */
export function stillness(sight: Sight, user: User): Stillness {
  return new Map(
    [...user.stories].filter(([, { still }]) => still).map(([key, { said }]) => [key, makings(said, sight)]),
  );
}

/** What was made anew although nothing asked for it. */
export function stillnessVerdict(before: Stillness, sight: Sight, user: User): string[] {
  const after = stillness(sight, user);
  return [...before].flatMap(([key, makingsBefore]) => {
    const makingsAfter = after.get(key) ?? [];
    const same = JSON.stringify(makingsBefore) === JSON.stringify(makingsAfter);
    return same ? [] : [`${key} had ${makingsBefore.join(', ')} and has ${makingsAfter.join(', ')}`];
  });
}

function makings({ kind, metadata }: Said, { pods, histories, children }: Sight): string[] {
  const labels = { 'pinterest.com/kind': kind, 'pinterest.com/workload': metadata.name };
  const jobs = children.filter((child) => child.kind === 'Job');
  return [...pods, ...histories, ...jobs]
    .filter(({ metadata: { labels: found = {} } }) =>
      Object.entries(labels).every(([label, value]) => found[label] === value),
    )
    .map((object) => `${object.kind} ${object.metadata.name} ${object.metadata.uid}`)
    .sort();
}

/** How many templates of pods a Deployment can have had, against the ReplicaSets that it has. */
export function versionsVerdict(sight: Sight, user: User, foreignEdits: number): string[] {
  const cluster = resolvePlatform(sight.platform);
  return [...sight.documents.values()].flatMap((document) => {
    const story = user.stories.get(keyOf(document));
    if (document.kind !== 'PinterestService' || !story) return [];
    const templates = new Set(templatesOf(story, document, (project) => cluster.project(project)));
    const deployments = sight.children.filter(
      (child) => ownerOf(child)?.uid === document.metadata.uid && child.kind === 'Deployment',
    );
    return deployments.flatMap(({ metadata: { uid } }) => {
      const sets = sight.histories.filter((history) => ownerOf(history)?.uid === uid);
      const most = templates.size + foreignEdits;
      return sets.length <= most ? [] : [`${keyOf(document)} has ${sets.length} ReplicaSets for ${most} templates`];
    });
  });
}

const templatesOf = ({ history }: Story, document: LiveObject, worldOf: Parameters<typeof expected>[1]): string[] =>
  history.flatMap((said) =>
    expected({ ...document, ...(documentOf(said) as unknown as LiveObject) }, worldOf)
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => JSON.stringify((spec as Fields)['template'])),
  );
