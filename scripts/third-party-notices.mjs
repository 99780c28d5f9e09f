// Writes THIRD_PARTY_NOTICES.txt: the packages that the bundles include, with the text of their licenses. With --check it
// writes nothing and fails if the file differs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPackages } from './bundled-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const output = join(root, 'THIRD_PARTY_NOTICES.txt');

/** Standard texts, for packages that are published without a license file. */
const standardTexts = {
  'Apache-2.0': () => readFileSync(join(root, 'LICENSE'), 'utf8'),
  MIT: (holder) => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`,
};

const holderOf = ({ author, name }) => (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;

/** Returns the license and notice files of a package, or the standard text of its declared license. */
function licenseText(path) {
  const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const files = readdirSync(join(root, path)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const texts = files.sort().map((name) => readFileSync(join(root, path, name), 'utf8'));
  if (texts.length === 0) {
    const standard = standardTexts[manifest.license];
    if (!standard) throw new Error(`${path} has no license file, and ${manifest.license} has no standard text here`);
    texts.push(standard(holderOf(manifest)));
  }
  const lines = texts.join('\n\n').replaceAll('\r\n', '\n').split('\n');
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return { license: manifest.license, text: text.replace(/^\n+|\n+$/g, '') };
}

/** Returns the packages of all bundles by name and version, each with its license. */
function collectPackages() {
  const licenses = new Map();
  for (const { name, version, path } of [...bundledPackages().values()].flat())
    licenses.set(`${name} ${version}`, licenseText(path));
  return new Map([...licenses].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function noticesText() {
  const packages = collectPackages();
  const byText = new Map();
  for (const [key, { text }] of packages) byText.set(text, [...(byText.get(text) ?? []), key]);
  const rule = '-'.repeat(80);
  const table = [...packages].map(([key, { license }]) => `${key} (${license})`);
  const texts = [...byText].map(([text, keys]) => [rule, ...keys, rule, '', text, ''].join('\n'));
  return [
    'Third-party software in the bundles of pinion',
    '',
    'Written by scripts/third-party-notices.mjs from what the bundler included; do not edit.',
    'Each line is a package with its license; the texts of the licenses follow.',
    '',
    ...table,
    '',
    ...texts,
  ].join('\n');
}

const text = noticesText();
if (!process.argv.includes('--check')) writeFileSync(output, text);
else if (!existsSync(output) || readFileSync(output, 'utf8') !== text) {
  console.error('THIRD_PARTY_NOTICES.txt is out of date; run "npm run generate" and commit what it writes.');
  process.exitCode = 1;
}
