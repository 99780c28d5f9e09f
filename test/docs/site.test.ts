import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'pinion-site-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function checkLinks(pages: Readonly<Record<string, string>>) {
  const site = mkdtempSync(join(folder, 'site-'));
  for (const [path, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), text);
  }
  return spawnSync(process.execPath, [join(root, 'scripts/docs/check-links.mjs'), site], { encoding: 'utf8' });
}

test('accepts links to a page, its anchors or another host', () => {
  const checked = checkLinks({
    'index.html': '<a href="guides/quota.html#the-history">history</a> <a href="https://kubernetes.io/docs">docs</a>',
    'guides/quota.html':
      '<h2 id="the-history">The history</h2> <a href="../index.html">home</a> <a href="#the-history">up</a>',
  });
  expect([checked.stderr, checked.status]).toEqual(['', 0]);
});

test('links to missing pages or anchors and resources of other hosts fail the check', () => {
  const checked = checkLinks({
    'index.html':
      '<a href="missing.html">a</a> <a href="page.html#missing">b</a> <a href="../up.html">c</a> <script src="https://cdn.example.com/a.js"></script>',
    'page.html': '<h2 id="present">Present</h2>',
  });
  expect(checked.status).toBe(1);
  expect(checked.stderr.trim().split('\n')).toEqual([
    'index.html: missing.html does not exist',
    'index.html: page.html#missing has no such anchor',
    'index.html: ../up.html leads out of the site',
    'index.html: https://cdn.example.com/a.js is loaded from another host',
  ]);
});

test('every page of docs/ is in one section of the site, and every entry of a section is a page', () => {
  const script = `import('${join(root, 'scripts/docs/navigation.mjs')}').then(({ navigation }) => console.log(JSON.stringify(navigation)))`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  const entries = Object.values(JSON.parse(stdout) as Readonly<Record<string, readonly string[]>>).flat();
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replace(/[^/]+\.md$/, (file) => (path.includes('/') ? '' : file.slice(0, -3))));
  expect([...entries].sort()).toEqual([...new Set(pages)].sort());
});

test('every page of docs/ has one title, its first line', () => {
  const offences = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .filter((path) => !/^# \S/.test(readFileSync(join(root, 'docs', path), 'utf8')));
  expect(offences).toEqual([]);
});
