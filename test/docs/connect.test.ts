import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import * as cdk8s from 'cdk8s';
import * as pinion from '@pinion-platform/pinion';

const page = readFileSync(join(__dirname, '../../docs/connect.md'), 'utf8');
const program = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
const [, table = ''] = /<!-- addresses:begin -->([\s\S]*?)<!-- addresses:end -->/.exec(page) ?? [];
const rows = [...table.matchAll(/^\| `(.*?)` +\| `(.*?)`/gm)].map(([, code = '', value = '']) => ({ code, value }));

/** Constructs of the page, and the values of its table. */
interface PageResult {
  readonly app: pinion.PlatformApp;
  readonly cart: pinion.PinterestService;
  readonly frontend: pinion.PinterestService;
  readonly flags: pinion.SharedConfig;
  readonly rules: pinion.SharedConfig;
  readonly values: readonly string[];
}

function runPage(): PageResult {
  const source = `${program}\nexport const values = [${rows.map(({ code }) => code).join()}];
    export { app, cart, frontend, flags, rules };`;
  const { code } = transformSync(source, { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } });
  const modules: Readonly<Record<string, unknown>> = { cdk8s, '@pinion-platform/pinion': pinion };
  const exports = {};
  new Function('require', 'exports', code)((name: string) => modules[name], exports);
  return exports as PageResult;
}

describe('the program of docs/connect.md', () => {
  const { app, cart, frontend, flags, rules, values } = runPage();

  test('has the values of its table', () => {
    expect(rows).toHaveLength(9);
    const members = [0, 1, 2].map((index) => `kafka-${index}.kafka-members.events.svc:9092`).join(',');
    expect(values).toEqual(rows.map(({ value }) => (value === 'host:port' ? members : value)));
  });

  test('has the access and names that the page states', () => {
    expect(page).toContain('`access: { from: [{ project: web, workload: frontend, ports: [8080] }] }`');
    expect(cart.input.spec.access?.from).toEqual([
      { project: 'search', workload: 'search', ports: [8080] },
      { project: 'web', workload: 'frontend', ports: [8080] },
    ]);
    expect(frontend.input.spec.config?.env).toMatchObject({ SEARCH_ADDRESS: 'search.search.svc:50051' });
    expect(page).toContain(`\`${flags.name}\``);
    expect(rules.name).toBe('rules');
  });

  test('is synthesized without a problem', () => {
    expect(() => app.synthYaml()).not.toThrow();
    for (const construct of app.node.findAll())
      expect((construct as { readonly problems?: readonly unknown[] }).problems ?? []).toEqual([]);
  });
});
