import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import * as testing from 'pinion/testing';

const page = readFileSync(join(__dirname, '../../docs/testing.md'), 'utf8');
const [snippet = ''] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
const { code } = transformSync(snippet, { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } });

describe('the tests that docs/testing.md shows pass', () => {
  // The page runs as written, so that its examples stay correct.
  new Function('require', 'exports', 'test', 'expect', code)(() => testing, {}, test, expect);
});
