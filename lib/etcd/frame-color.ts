import { type Frame } from './frames';

/** Colour of a frame: from green, all of it live, to red, all of it history; compared, from blue, shrunk, to red, grown. */
export function colorOf({ live, history, before }: Frame): string {
  const all = live + history;
  if (before === undefined) return `hsl(${Math.round(150 - 140 * (all === 0 ? 0 : history / all))} 55% 72%)`;
  const change = (all - before) / Math.max(all, before, 1);
  const pale = Math.round(94 - 30 * Math.min(1, Math.abs(change)));
  return `hsl(${change > 0 ? 10 : 215} ${Math.abs(change) < 0.001 ? 0 : 70}% ${pale}%)`;
}
