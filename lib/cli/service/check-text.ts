import { formatValue } from '../../api';
import { type Check, type TargetCheck } from '../../contract';
import { textTable } from '../text-table';
import { onOneLine, printable } from './printable';

const decisions = {
  accept: 'it would begin now',
  queue: 'it would wait until there is room',
  refuse: 'it would be refused',
} as const satisfies Record<Check['decision'], string>;

/** What a deployment would do, for a person: what becomes of each workload, field by field, and what it asks for. */
export function checkText({ artifact, stage, decision, targets }: Check): string {
  return printable(`${artifact} to ${stage}: ${decisions[decision]}\n${targets.map(targetText).join('')}`);
}

function targetText({ target, changes, resources, nearestFit }: TargetCheck): string {
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

function changeLines({ change, kind, name, restarts, fields }: TargetCheck['changes'][number]): string[] {
  const what = `${change.padEnd(7)}  ${kind}/${name}${restarts ? ': its pods are replaced' : ''}`;
  return [
    what,
    ...fields.map(({ path, from, to }) => {
      if (from === undefined && to === undefined) return `  ~ ${path}: changes; not shown, for it could be a secret`;
      if (from === undefined) return `  + ${path}: ${formatValue(to)}`;
      if (to === undefined) return `  - ${path}: ${formatValue(from)}`;
      return `  ~ ${path}: ${formatValue(from)} → ${formatValue(to)}`;
    }),
  ];
}

const head = ['RESOURCE', 'NOW', 'ASKED', 'LEFT', 'QUOTA', ''];

const resourceRow = ({ resource, now, asked, left, hard, fits }: TargetCheck['resources'][number]): string[] => [
  resource,
  now,
  asked,
  left ?? '-',
  hard ?? '-',
  fits ? '' : 'does not fit',
];

/** Whether nothing at all would become different. */
export const isSame = ({ targets }: Check): boolean =>
  targets.every(({ changes }) => changes.every(({ change }) => change === 'unchanged'));
