import { bdi, h, type VNode } from '../dom/vnode';
import { type StatusLabel } from '../format/labels';

/** Returns a label with a shape and color for its tone; the text alone carries the meaning. */
export const statusBadge = ({ text, tone }: StatusLabel): VNode => h('span', { class: `badge ${tone}` }, bdi(text));
