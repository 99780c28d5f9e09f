import { bytesText } from '../../../api';
import { dateOf } from '../../../capacity';
import { type ClientTrend } from '../../../history';
import { outlookTable } from '../../output/outlook-table';
import { textTable } from '../../output/text-table';
import { onOneLine } from '../../service/printable';
import { type ProjectClientsReport } from './client-history-report';

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const growth = (value: number | undefined): string =>
  value === undefined ? '-' : `${value < 0 ? '-' : '+'}${count(Math.abs(100 * value))} %`;

/** Returns the clients of the last week as tables, after the practices that they violate and before the proposed API budgets. */
export function clientHistoryText(day: number, projects: readonly ProjectClientsReport[], top: number): string {
  const violations = projects.flatMap((project) => project.violations);
  const budgets = projects.flatMap((project) => project.budgets);
  return [
    `Clients of 7 days until ${dateOf(day) ?? '-'}, daily averages\n`,
    violations.length === 0 ? '' : '\nPRACTICES\n',
    ...violations.map(({ practice, message }) => `${practice}: ${onOneLine(message)}\n`),
    `\n${table(
      ['PROJECT', 'ON CALL'],
      projects.slice(0, top).map(({ project, onCall, total }) => [[project || '-', onCall || '-'], total]),
    )}`,
    `\n${table(
      ['PROJECT', 'ACCOUNT', 'PROGRAM', 'MOSTLY'],
      projects
        .flatMap(({ project, clients }) => clients.map((client) => ({ project, client })))
        .sort((a, b) => b.client.seatSeconds - a.client.seatSeconds)
        .slice(0, top)
        .map(({ project, client }) => [[project || '-', client.account, client.userAgent, client.mostly], client]),
    )}`,
    budgets.length === 0
      ? ''
      : `\nAPI BUDGETS\n${outlookTable(budgets, { field: 'FIELD', limit: 'BUDGET', isLive: false })}`,
    ...projects.map(proposalText),
  ].join('');
}

function table(heads: readonly string[], rows: readonly (readonly [readonly string[], ClientTrend])[]): string {
  return textTable(
    [...heads, 'REQUESTS', '', 'SEAT-SECONDS', '', 'WATCHES', 'ERRORS', 'BYTES', 'CACHED'],
    rows.map(([names, trend]) => [
      ...names.map(onOneLine),
      count(trend.requests),
      growth(trend.requestGrowth),
      trend.seatSeconds.toFixed(2),
      growth(trend.costGrowth),
      count(trend.watches),
      count(trend.errors),
      trend.bytes === 0 ? '-' : bytesText(trend.bytes),
      count(trend.cached),
    ]),
  );
}

/** Returns the fields of a Project that a proposal changes, as YAML with a reason for each. */
function proposalText({ project, proposal }: ProjectClientsReport): string {
  const changed = proposal.filter(({ basis }) => basis === 'peak');
  if (changed.length === 0) return '';
  const line = ({ resource, value, reason }: (typeof changed)[number], indent: string): string =>
    `${indent}${resource.replace(/^serviceAccount\./, '')}: ${value} # ${reason}\n`;
  const own = changed.filter(({ resource }) => !resource.includes('.'));
  const nested = changed.filter(({ resource }) => resource.includes('.'));
  return [
    `\nPROPOSED API BUDGET OF PROJECT ${project}\napiBudget:\n`,
    ...own.map((value) => line(value, '  ')),
    ...(nested.length > 0 ? ['  serviceAccount:\n', ...nested.map((value) => line(value, '    '))] : []),
  ].join('');
}
