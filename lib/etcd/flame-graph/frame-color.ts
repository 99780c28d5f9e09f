import { type Frame } from './frame';
import { type FlameSubject } from './subject';

/**
 * Returns the color of a frame: from green (all live) to red (all history); in a comparison from blue (shrunk) to red
 * (grown); without history a warm color derived from its name.
 */
export function colorOf({ name, live, history, before }: Frame, { hasHistory }: FlameSubject): string {
  const all = live + history;
  if (before === undefined && !hasHistory) return `hsl(${20 + (hashOf(name) % 40)} 80% 74%)`;
  if (before === undefined) return `hsl(${Math.round(150 - 140 * (all === 0 ? 0 : history / all))} 55% 72%)`;
  const change = (all - before) / Math.max(all, before, 1);
  const pale = Math.round(94 - 30 * Math.min(1, Math.abs(change)));
  return `hsl(${change > 0 ? 10 : 215} ${Math.abs(change) < 0.001 ? 0 : 70}% ${pale}%)`;
}

/** Hashes a string to a small number, like the script of the HTML page. */
function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) % 9973;
  return hash;
}
