import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Audit } from './audit';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinion-audit-'));
  file = join(folder, 'audit.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (name: string): string =>
  `${JSON.stringify({ stage: 'ResponseComplete', verb: 'get', user: { username: 'jane' }, objectRef: { name } })}\n`;
const namesSince = (audit: Audit, mark: ReturnType<Audit['mark']>) =>
  audit.since(mark).map(({ objectRef }) => objectRef?.name);

test('a partially written line at the mark is reported after the mark', () => {
  const [first, long, last] = [line('first'), line('x'.repeat(100_000)), line('last')];
  writeFileSync(file, first + long.slice(0, 90_000));
  const audit = new Audit(file);
  const mark = audit.mark();
  expect(namesSince(audit, mark)).toEqual([]);
  appendFileSync(file, long.slice(90_000) + last.slice(0, 5));
  expect(namesSince(audit, mark)).toEqual(['x'.repeat(100_000)]);
  appendFileSync(file, last.slice(5));
  expect(namesSince(audit, mark)).toEqual(['x'.repeat(100_000), 'last']);
  expect(namesSince(audit, audit.mark())).toEqual([]);
});

test('the mark of a log that does not exist yet is its start', () => {
  const audit = new Audit(file);
  const mark = audit.mark();
  writeFileSync(file, line('first'));
  expect(namesSince(audit, mark)).toEqual(['first']);
});
