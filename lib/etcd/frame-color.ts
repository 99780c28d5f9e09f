import { type Frame } from './frame';
import { type Subject } from './subject';

/**
 * Colour of a frame: from green, all of it live, to red, all of it history; compared, from blue, shrunk, to red, grown;
 * where there is no history, one of some warm ones by its name.
 */
export function colorOf({ name, live, history, before }: Frame, { hasHistory }: Subject): string {
  const all = live + history;
  if (before === undefined && !hasHistory) return `hsl(${20 + (hashOf(name) % 40)} 80% 74%)`;
  if (before === undefined) return `hsl(${Math.round(150 - 140 * (all === 0 ? 0 : history / all))} 55% 72%)`;
  const change = (all - before) / Math.max(all, before, 1);
  const pale = Math.round(94 - 30 * Math.min(1, Math.abs(change)));
  return `hsl(${change > 0 ? 10 : 215} ${Math.abs(change) < 0.001 ? 0 : 70}% ${pale}%)`;
}

/** A small number by a text; the page of a flame graph has the same. */
function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) % 9973;
  return hash;
}
