import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installManifests } from '../../lib/expand';
import { programNames } from '../e2e/hostile-tenant/actors';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** Returns the rows of the table below a heading, without the header, as cells. */
function rowsBelow(title: string): readonly (readonly string[])[] {
  const section = page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const cells = line.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim());
    return cells;
  });
}

const references = [...page.matchAll(/`(test\/[^`]+)`(?:: "([^"]+)")?/g)].map(
  ([, path = '', title = '']): [string, string] => [path, title],
);

test.each(references)('%s has the test or table "%s"', (path, title) => {
  expect(title).not.toBe('');
  expect(existsSync(join(root, path))).toBe(true);
  const text = readFileSync(join(root, path), 'utf8');
  expect(["'", '"', '`'].filter((quote) => text.includes(quote + title + quote))).not.toEqual([]);
});

test('each attack names its test, or that there is none', () => {
  const attacks = rowsBelow('Attacks and their tests');
  const numbers = new Set(attacks.map(([number = '']) => parseInt(number, 10)));
  expect([...numbers]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const offences = attacks.filter(([, , held = '']) => !/^`test\/|^none: see \[limitations\]/.test(held));
  expect(offences).toEqual([]);
});

test('each peer of the comparison has an official page and a test', () => {
  const peers = rowsBelow('Comparison');
  expect(peers).toHaveLength(4);
  for (const [peer = '', , , held = ''] of peers) {
    expect(peer).toMatch(
      /^\[[^\]]+\]\(https:\/\/(argo-cd\.readthedocs\.io|fluxcd\.io|docs\.sigstore\.dev|slsa\.dev)\//,
    );
    expect(held).toMatch(/^`test\//);
  }
});

test('the token of each program is listed with what it can do', () => {
  const credentials = rowsBelow('Stolen credentials').map(([credential]) => credential);
  expect(programNames.filter((name) => !credentials.includes(`token of \`${name}\``))).toEqual([]);
});

test('every admission policy that the page names is installed', () => {
  const installed = installManifests({ image: 'registry.example.com/pinion:1.0.0' }).flatMap(({ kind, metadata }) =>
    kind === 'ValidatingAdmissionPolicy' ? [metadata.name] : [],
  );
  const named = [...page.matchAll(/`([a-z-]+\.pinterest\.com)`/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !installed.includes(name ?? ''))).toEqual([]);
});
