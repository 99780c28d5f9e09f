import { type ElementChild, type Described, h } from './element';

/** A term and its description; omitted if empty. */
export type Fact = readonly [term: string, said: ElementChild];

/** Facts as a list of terms. */
export function facts(all: readonly Fact[]): Described {
  return h(
    'dl',
    { class: 'facts' },
    all
      .filter(([, said]) => said !== undefined && said !== false && said !== '')
      .map(([term, said]) => h('div', { key: term }, h('dt', {}, term), h('dd', {}, said))),
  );
}
