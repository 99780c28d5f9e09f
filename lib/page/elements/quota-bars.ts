import { type ProjectView } from '../../contract';
import { h, type VNode, type VNodeChild } from '../dom/vnode';
import { quotaLevelLabels } from '../format/labels';
import { quotaMeasure, readableQuantity, usageFraction } from '../format/quantity';
import { statusBadge } from './status-badge';
import { calendarDate } from './time-element';

type Quota = ProjectView['quota'][number];

/** Returns the quota of a project, one bar per resource; its text contains the same information for screen readers. */
export function quotaBars(quota: readonly Quota[]): VNode {
  if (quota.length === 0) return h('p', { class: 'muted' }, 'No quota: resource requests are not limited.');
  return h('ul', { class: 'quota' }, quota.map(quotaBar));
}

function quotaBar({ resource, hard, used, promised, level, fullOn }: Quota): VNode {
  const percent = (amount: string): string => `${(usageFraction(amount, hard) * 100).toFixed(1)}%`;
  return h(
    'li',
    { key: resource, class: level },
    h('span', { class: 'resource' }, quotaMeasure(resource).label),
    h(
      'span',
      { class: 'bar', 'aria-hidden': 'true' },
      h('span', { class: 'promised', style: { width: percent(promised) } }),
      h('span', { class: 'used', style: { width: percent(used) } }),
    ),
    h('span', { class: 'level' }, statusBadge(quotaLevelLabels[level]), forecast(level, fullOn)),
    h(
      'span',
      { class: 'amounts' },
      h('b', {}, readableQuantity(used, resource)),
      ' used, ',
      readableQuantity(promised, resource),
      ' at peak, of ',
      readableQuantity(hard, resource),
    ),
  );
}

const forecast = (level: Quota['level'], fullOn: string | undefined): VNodeChild =>
  fullOn !== undefined && [level === 'full' ? ' since ' : ', full on ', calendarDate(fullOn)];
