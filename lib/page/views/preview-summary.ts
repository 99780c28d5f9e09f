import { type DeploymentPreview, type TargetPreview } from '../../contract';
import { formatCount, kindLabel } from '../format/labels';

type Change = TargetPreview['changes'][number];

const namesOf = (changes: readonly Change[]): string =>
  [...new Set(changes.map(({ kind, name }) => `${kindLabel(kind)} ${name}`))].join(', ');

/** Returns the effects of a deployment for the confirmation, one sentence each; a sentence common to clusters appears once. */
export function previewEffects(preview: DeploymentPreview): readonly string[] {
  const clusters = new Map<string, string[]>();
  for (const target of preview.targets)
    for (const effect of targetEffects(target)) clusters.set(effect, [...(clusters.get(effect) ?? []), target.target]);
  const effects = [...clusters].map(([effect, targets]) => `On ${formatList(targets)}, ${effect}.`);
  return preview.decision === 'queue'
    ? [...effects, 'The deployment is queued until enough quota is available.']
    : effects;
}

/** Returns names as a list, such as "a, b and c". */
const formatList = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

function targetEffects({ changes }: TargetPreview): readonly string[] {
  const of = (change: Change['change']): readonly Change[] => changes.filter((one) => one.change === change);
  const [created, changed, removed] = [of('created'), of('changed'), of('removed')];
  const restarted = changed.filter(({ restarts }) => restarts);
  const hooked = changes.filter(({ hooks }) => hooks !== undefined);
  if (created.length + changed.length + removed.length === 0) return ['nothing changes'];
  return [
    created.length > 0 && `${formatCount(created.length, 'workload is', 'workloads are')} created: ${namesOf(created)}`,
    changed.length > 0 && `${formatCount(changed.length, 'workload changes', 'workloads change')}: ${namesOf(changed)}`,
    hooked.length > 0 && `hooks run before pods of ${namesOf(hooked)} change`,
    restarted.length > 0 && `pods of ${namesOf(restarted)} are replaced`,
    removed.length > 0 && `${formatCount(removed.length, 'workload is', 'workloads are')} removed: ${namesOf(removed)}`,
  ].filter((effect) => effect !== false);
}

/** Returns warnings about break-glass and removed workloads; undefined without warnings. */
export function previewWarning(preview: DeploymentPreview, breakGlass: string | undefined): string | undefined {
  const removed = preview.targets.flatMap(({ changes }) => changes.filter(({ change }) => change === 'removed'));
  const warnings = [
    breakGlass !== undefined &&
      `Break-glass: the trusted publishers of stage ${preview.stage} are bypassed. This is recorded and reported with the reason: ${breakGlass}`,
    removed.length > 0 && `Removed workloads are deleted with their pods: ${namesOf(removed)}.`,
  ].filter((warning) => warning !== false);
  return warnings.length > 0 ? warnings.join(' ') : undefined;
}
