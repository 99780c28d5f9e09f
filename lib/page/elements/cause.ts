import { type Cause } from '../../contract';
import { bdi, h, type VNode } from '../dom/vnode';
import { ownerLabels } from '../format/labels';

/** Returns the owner and the reason of a cause. */
export const causeSummary = ({ owner, reason }: Cause): VNode =>
  h(
    'span',
    { class: 'cause-short' },
    h('span', { class: 'owner' }, ownerLabels[owner]),
    ' ',
    h('code', {}, bdi(reason)),
  );

/** Returns a cause with its message and object. */
export const causeDetails = (cause: Cause): VNode =>
  h(
    'div',
    { class: 'cause' },
    h('p', { class: 'cause-head' }, causeSummary(cause)),
    h('p', {}, bdi(cause.message)),
    cause.object !== undefined && h('p', { class: 'muted' }, 'Object: ', h('code', {}, bdi(cause.object))),
  );
