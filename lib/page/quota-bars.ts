import { type ProjectView } from '../contract';
import { type ElementChild, type Described, h } from './element';
import { mark } from './mark';
import { readableQuantity, quotaMeasure, shareOf } from './quantity';
import { onDay } from './time-element';
import { levelWords } from './words';

type Quota = ProjectView['quota'][number];

/** Quota of a project, one bar for each resource; all that a bar shows stands beside it in words. */
export function quotaBars(quota: readonly Quota[]): Described {
  if (quota.length === 0) return h('p', { class: 'quiet' }, 'No quota: nothing bounds what it may ask for.');
  return h('ul', { class: 'quota' }, quota.map(quotaBar));
}

function quotaBar({ resource, hard, used, promised, level, fullOn }: Quota): Described {
  const percent = (amount: string): string => `${(shareOf(amount, hard) * 100).toFixed(1)}%`;
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
    h('span', { class: 'level' }, mark(levelWords[level]), forecast(level, fullOn)),
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

const forecast = (level: Quota['level'], fullOn: string | undefined): ElementChild =>
  fullOn !== undefined && [level === 'full' ? ' since ' : ', full on ', onDay(fullOn)];
