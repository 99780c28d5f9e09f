import { h, type VNode, type VNodeChild } from '../dom/vnode';

/** Term and its description; omitted if empty. */
export type DescriptionItem = readonly [term: string, description: VNodeChild];

/** Returns a list of terms with their descriptions. */
export function descriptionList(all: readonly DescriptionItem[]): VNode {
  return h(
    'dl',
    { class: 'description-list' },
    all
      .filter(([, description]) => description !== undefined && description !== false && description !== '')
      .map(([term, description]) => h('div', { key: term }, h('dt', {}, term), h('dd', {}, description))),
  );
}
