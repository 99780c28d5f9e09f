import { type Described, h, written } from './element';
import { type Word } from './words';

/** A word with a shape and a colour of its mood; the word says all that they say. */
export const mark = ({ text, mood }: Word): Described => h('span', { class: `mark ${mood}` }, written(text));
