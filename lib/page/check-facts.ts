import { type DeploymentPreview, type TargetPreview } from '../contract';
import { count, shortKind } from './words';

type Change = TargetPreview['changes'][number];

const named = (changes: readonly Change[]): string =>
  [...new Set(changes.map(({ kind, name }) => `${shortKind(kind)} ${name}`))].join(', ');

/** Effects of a deployment, one sentence each, for the confirmation; sentences common to clusters appear once. */
export function factsOf(preview: DeploymentPreview): readonly string[] {
  const clusters = new Map<string, string[]>();
  for (const target of preview.targets)
    for (const fact of factsOfTarget(target)) clusters.set(fact, [...(clusters.get(fact) ?? []), target.target]);
  const facts = [...clusters].map(([fact, targets]) => `On ${listed(targets)}, ${fact}.`);
  return preview.decision === 'queue' ? [...facts, 'It waits in the queue until there is enough quota.'] : facts;
}

/** Names in a row, such as "a, b and c". */
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

function factsOfTarget({ changes }: TargetPreview): readonly string[] {
  const of = (change: Change['change']): readonly Change[] => changes.filter((one) => one.change === change);
  const [created, changed, removed] = [of('created'), of('changed'), of('removed')];
  const restarted = changed.filter(({ restarts }) => restarts);
  if (created.length + changed.length + removed.length === 0) return ['nothing changes'];
  return [
    created.length > 0 && `${count(created.length, 'workload is', 'workloads are')} created: ${named(created)}`,
    changed.length > 0 && `${count(changed.length, 'workload changes', 'workloads change')}: ${named(changed)}`,
    restarted.length > 0 && `pods are replaced of ${named(restarted)}`,
    removed.length > 0 && `${count(removed.length, 'workload is', 'workloads are')} removed: ${named(removed)}`,
  ].filter((fact) => fact !== false);
}

/** What is out of the ordinary, in a sentence; nothing where all is ordinary. */
export function warningOf(preview: DeploymentPreview, breakGlass: string | undefined): string | undefined {
  const removed = preview.targets.flatMap(({ changes }) => changes.filter(({ change }) => change === 'removed'));
  const warnings = [
    breakGlass !== undefined &&
      `Break-glass: the publishers of stage ${preview.stage} are passed over. This is recorded and reported, with the reason: ${breakGlass}`,
    removed.length > 0 && `What is removed is gone with its pods: ${named(removed)}.`,
  ].filter((warning) => warning !== false);
  return warnings.length > 0 ? warnings.join(' ') : undefined;
}
