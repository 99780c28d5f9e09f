import { formatValue } from '../../api';
import { type DeploymentPreview, type TargetPreview } from '../../contract';
import { textTable } from '../output/text-table';
import { onOneLine, printable } from './printable';

const decisions = {
  accept: 'it would start now',
  queue: 'it would be queued until there is capacity',
  refuse: 'it would be rejected',
} as const satisfies Record<DeploymentPreview['decision'], string>;

/** Returns the preview of a deployment: the changed fields of each workload, and the requested resources. */
export function previewText({ artifact, stage, decision, targets }: DeploymentPreview): string {
  return printable(`${artifact} to ${stage}: ${decisions[decision]}\n${targets.map(targetText).join('')}`);
}

function targetText({ target, changes, resources, nearestFit }: TargetPreview): string {
  const unchanged = changes.filter(({ change }) => change === 'unchanged').length;
  const lines = [
    ...changes.filter(({ change }) => change !== 'unchanged').flatMap(changeLines),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(changes.length === 0 ? ['no workloads'] : []),
    ...(resources.length > 0 ? textTable(head, resources.map(resourceRow)).trimEnd().split('\n') : []),
    ...(nearestFit === undefined ? [] : [`what would fit: ${onOneLine(nearestFit)}`]),
  ];
  return `${target}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function changeLines({
  change,
  kind,
  name,
  restarts,
  causes = [],
  restartedVariants,
  hooks,
  fields,
}: TargetPreview['changes'][number]): string[] {
  const pods = restartedVariants ? `the pods of ${restartedVariants.join(', ')}` : 'its pods';
  const summary = `${change.padEnd(7)}  ${kind}/${name}${restarts ? `: ${pods} are replaced` : ''}`;
  const workload = new RegExp(`^${kind} [^/]*/${name}$`);
  const reasons = causes.map(({ object, path }) =>
    workload.test(object) && path !== undefined ? path : onOneLine(`${object}${path === undefined ? '' : ` ${path}`}`),
  );
  return [
    summary,
    ...reasons.map((reason) => `  because of ${reason}`),
    ...(hooks ? [`  hooks before it: ${hooks.map(onOneLine).join(', ')}`] : []),
    ...fields.map(({ path, from, to }) => {
      if (from === undefined && to === undefined) return `  ~ ${path}: changes; not shown because it may be a secret`;
      if (from === undefined) return `  + ${path}: ${formatValue(to)}`;
      if (to === undefined) return `  - ${path}: ${formatValue(from)}`;
      return `  ~ ${path}: ${formatValue(from)} → ${formatValue(to)}`;
    }),
  ];
}

const head = ['RESOURCE', 'NOW', 'REQUESTED', 'AVAILABLE', 'QUOTA', ''];

const resourceRow = ({
  resource,
  now,
  requested,
  available,
  hard,
  fits,
}: TargetPreview['resources'][number]): string[] => [
  resource,
  now,
  requested,
  available ?? '-',
  hard ?? '-',
  fits ? '' : 'does not fit',
];

/** Returns whether a deployment would change nothing. */
export const isUnchanged = ({ targets }: DeploymentPreview): boolean =>
  targets.every(({ changes }) => changes.every(({ change }) => change === 'unchanged'));
