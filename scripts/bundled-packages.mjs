// Records which packages each bundle includes, for THIRD_PARTY_NOTICES.txt and its test.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'build', 'packages');

/** First line of every bundle. */
export const noticeBanner = '/*! pinion, Apache-2.0; licenses of the packages in this file: THIRD_PARTY_NOTICES.txt */';

/** Returns the file that lists the packages of a bundle. */
export const packageList = (bundle) => join(folder, `${basename(bundle).replace(/\.js$/, '')}.json`);

/** Returns the folders of the packages whose code is in the output of an esbuild run, relative to the checkout. */
function packageFolders(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => {
    const match = /^.*node_modules\/(?:@[^/]+\/[^/]+|[^/]+)(?=\/)/.exec(path);
    return match && bytesInOutput > 0 ? [match[0]] : [];
  });
  return [...new Set(folders)];
}

/** Records which packages a bundle includes. */
export function recordPackages(bundle, metafile) {
  const packages = packageFolders(metafile).map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    return { name, version: version.replace(/^v/, ''), path: relative(root, join(root, path)) };
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(packageList(bundle), JSON.stringify(packages, undefined, 2));
}

/** Deletes the lists of bundles that no longer exist. */
export function removeOtherLists(bundles) {
  const kept = new Set(bundles.map(packageList));
  for (const name of readdirSync(folder)) if (!kept.has(join(folder, name))) rmSync(join(folder, name));
}

/** Returns the packages of every bundle, by name. */
export const bundledPackages = () =>
  new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name.replace(/\.json$/, ''), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  );
