import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFrameLocator } from '../../../lib/controller/profiles/create-frame-locator';

const folder = mkdtempSync(join(tmpdir(), 'pinion-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bundle = join(folder, 'controller.js');
writeFileSync(
  bundle,
  [
    '"use strict";',
    '// ../elsewhere/node_modules/a/lib/b.js',
    'function inner() {}',
    '// lib/expand/deployment.ts',
    '// A comment is not a heading, even of lib/kube/cache/store.ts',
    'function deployment() {}',
    'var part = () => {};',
  ].join('\n'),
);
const frame = (url: string, functionName: string, lineNumber: number) => ({
  scriptId: '1',
  url,
  functionName,
  lineNumber,
  columnNumber: 0,
});

test('functions of a bundle are named by module, however V8 names the script', () => {
  const placeOf = createFrameLocator();
  for (const url of [bundle, pathToFileURL(bundle).href]) {
    expect(placeOf(frame(url, 'inner', 2)).name).toBe('node_modules/a/lib/b.js:inner');
    expect(placeOf(frame(url, 'deployment', 5))).toEqual({
      name: 'lib/expand/deployment.ts:deployment',
      file: 'lib/expand/deployment.ts',
      line: 2,
    });
    expect(placeOf(frame(url, '', 6)).name).toBe('lib/expand/deployment.ts:(anonymous:3)');
  }
});

test('single-module scripts, Node scripts, missing scripts and functions without a script have names too', () => {
  const placeOf = createFrameLocator();
  expect(placeOf(frame('file:///gone/build/lib/kube/store.js', 'replace', 6))).toEqual({
    name: 'lib/kube/store.js:replace',
    file: 'lib/kube/store.js',
    line: 7,
  });
  expect(placeOf(frame('node:internal/timers', 'listOnTimeout', 3)).name).toBe('node:internal/timers:listOnTimeout');
  expect(placeOf(frame('', '(garbage collector)', -1)).name).toBe('(garbage collector)');
  expect(placeOf(frame('', '', -1)).name).toBe('(anonymous)');
});
