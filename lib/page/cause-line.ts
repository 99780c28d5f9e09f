import { type Cause } from '../contract';
import { type Described, h, written } from './element';
import { ownerWords } from './words';

/** Whose a cause is, and its reason in one word. */
export const causeInShort = ({ owner, reason }: Cause): Described =>
  h(
    'span',
    { class: 'cause-short' },
    h('span', { class: 'owner' }, ownerWords[owner]),
    ' ',
    h('code', {}, written(reason)),
  );

/** A cause with all that is known of it. */
export const causeInFull = (cause: Cause): Described =>
  h(
    'div',
    { class: 'cause' },
    h('p', { class: 'cause-head' }, causeInShort(cause)),
    h('p', {}, written(cause.message)),
    cause.object !== undefined && h('p', { class: 'quiet' }, 'Seen at ', h('code', {}, written(cause.object))),
  );
