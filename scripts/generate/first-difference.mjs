/**
 * Describes how a file differs from its expected content: the number of lines, and the first of them in both versions.
 */
export function firstDifference(path, is, should) {
  if (is === undefined) return `${path}: is missing`;
  const [now, then] = [is.split('\n'), should.split('\n')];
  const line = then.findIndex((text, index) => text !== now[index]);
  const at = line < 0 ? then.length : line;
  const count = Math.max(now.length, then.length) - then.filter((text, index) => text === now[index]).length;
  return `${path}:${at + 1}: ${count} lines differ, the first one:\n  - ${now[at] ?? '(end)'}\n  + ${then[at] ?? '(end)'}`;
}
