import { h, type VNode, type VNodeChild } from '../dom/vnode';

/** Term and its description; omitted if empty. */
export type DescriptionItem = readonly [term: string, said: VNodeChild];

/** Returns a list of terms with their descriptions. */
export function descriptionList(all: readonly DescriptionItem[]): VNode {
  return h(
    'dl',
    { class: 'facts' },
    all
      .filter(([, said]) => said !== undefined && said !== false && said !== '')
      .map(([term, said]) => h('div', { key: term }, h('dt', {}, term), h('dd', {}, said))),
  );
}
