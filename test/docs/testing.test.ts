import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import * as pinion from '@pinion-platform/pinion';
import * as testing from '@pinion-platform/pinion/testing';
import * as cdk8s from 'cdk8s';

const page = readFileSync(join(__dirname, '../../docs/testing.md'), 'utf8');
const modules: Readonly<Record<string, object>> = {
  '@pinion-platform/pinion': pinion,
  '@pinion-platform/pinion/testing': testing,
  cdk8s,
};
const snippets = [...page.matchAll(/^`(.*\.test\.ts)`:\n\n```ts\n([\s\S]*?)^```$/gm)].map(
  ([, name = '', text = '']) => [name, text] as const,
);

test('the page has tests of a manifest and of a construct', () => {
  expect(snippets.map(([name]) => name)).toEqual(['cart.test.ts', 'web.test.ts']);
});

// The page is run as written, so that its examples stay correct; test/consumer runs it with the packed package, too.
describe.each(snippets)('%s', (_, text) => {
  const { code } = transformSync(text, { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } });
  new Function('require', 'exports', 'test', 'expect', code)((name: string) => modules[name], {}, test, expect);
});
