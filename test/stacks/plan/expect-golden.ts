import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump } from 'js-yaml';

/**
 * Compares a value with the committed file; with UPDATE_GOLDEN it is rewritten, and the test still fails so that the
 * diff is reviewed.
 */
export function expectGolden(name: string, value: unknown): void {
  const path = join(__dirname, 'golden', name);
  const actual = typeof value === 'string' ? value : dump(value, { noRefs: true, lineWidth: 120, sortKeys: false });
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (before === actual) return;
  if (process.env['UPDATE_GOLDEN']) writeFileSync(path, actual);
  expect(actual).toBe(before ?? `(no ${path}: run "npm run golden" and review the diff)`);
}
