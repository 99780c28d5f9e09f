import {
  planGroups,
  plannedValues,
  type Figure,
  type PlanGroup,
  type NodeGroupPlan,
  type CapacityPlan,
  type PlannedName,
} from '../../../capacity';
import { quantityText } from './quantity-text';
import { textTable } from '../../output/text-table';

/** Returns a plan as text: one line for each value; with reasons, three more. */
export function planText(plan: CapacityPlan, reasons: boolean): string {
  const { load } = plan;
  const head = `${load.cluster}: ${load.nodes} nodes and ${load.pods} pods in ${load.zones.join(', ')}; Kubernetes ${load.kubernetes}\n`;
  const assumed = Object.entries(load.assumed).map(([field, value]) => `  ${field}: ${value}\n`);
  const parts = (Object.keys(planGroups) as PlanGroup[])
    .filter((group) => group !== 'leases' || plan.values.leasesEtcd.value)
    .map((group) => groupText(plan, group, reasons));
  return [
    head,
    assumed.length > 0 ? `\nAssumptions for fields that the load description omits\n${assumed.join('')}` : '',
    ...parts,
    seatsText(plan),
    nodeGroupsText(plan.nodeGroups, reasons),
    flagsText(plan),
  ].join('');
}

function groupText({ values }: CapacityPlan, group: PlanGroup, reasons: boolean): string {
  const names = (Object.keys(plannedValues) as PlannedName[]).filter((name) => plannedValues[name].group === group);
  const rows = names.map((name) => {
    const figure: Figure = values[name];
    return [
      `  ${name}`,
      `${quantityText(figure.value, figure.unit)}${overriddenText(figure)}`,
      plannedValues[name].description,
    ];
  });
  const table = textTable(['', '', ''], rows).split('\n').slice(1, -1);
  const lines = table.map((line, index) => {
    const name = names[index];
    return reasons && name ? `${line}\n${reasonText(values[name])}` : `${line}\n`;
  });
  return `\n${planGroups[group]}\n${lines.join('')}`;
}

const overriddenText = ({ planned, unit }: Figure): string =>
  planned === undefined ? '' : ` (overridden; planned ${quantityText(planned, unit)})`;

function reasonText({ formula, inputs, source, unit: _ }: Figure): string {
  const inputTexts = Object.entries(inputs).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toPrecision(6)) : String(value)}`,
  );
  return `      ${formula}\n${inputTexts.length > 0 ? `      with ${inputTexts.join(', ')}\n` : ''}      source: ${source}\n`;
}

function seatsText({ seats, values }: CapacityPlan): string {
  const total = values.maxRequestsInflight.value + values.maxMutatingRequestsInflight.value;
  const levels = Object.entries(seats).map(([level, count]) => [`  ${level}`, String(count)]);
  return `\nSeats per priority level, out of ${total} per API server\n${textTable(['', ''], levels).split('\n').slice(1).join('\n')}`;
}

function nodeGroupsText(nodeGroups: readonly NodeGroupPlan[], reasons: boolean): string {
  const head = ['  POOL', 'KIND', 'ARCH', 'TYPES', 'MIN', 'DESIRED', 'MAX', 'PODS/NODE', 'MAX PODS', 'ROOT GIB'];
  const columns = ['instanceTypes', 'min', 'desired', 'max', 'podsPerNode', 'maxPods', 'rootGib'] as const;
  const rows = nodeGroups.map((group) => [
    `  ${group.pool}`,
    group.kind,
    group.architecture,
    ...columns.map(
      (column) =>
        `${listText(group[column].value)}${group[column].planned === undefined ? '' : ` (planned ${listText(group[column].planned)})`}`,
    ),
  ]);
  const reasonTexts = reasons
    ? nodeGroups
        .flatMap((group) => columns.map((column) => `  ${group.pool} ${column}\n${reasonText(group[column])}`))
        .join('')
    : '';
  return `\nNode groups\n${textTable(head, rows)}${reasonTexts}`;
}

const listText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

function flagsText({ flags }: CapacityPlan): string {
  const nonEmpty = Object.entries(flags).filter(([, own]) => Object.keys(own).length > 0);
  const programs = nonEmpty.map(
    ([program, own]) =>
      `  ${program}\n${Object.entries(own)
        .map(([name, value]) => `    --${name}=${value}\n`)
        .join('')}`,
  );
  return `\nFlags\n${programs.join('')}`;
}
