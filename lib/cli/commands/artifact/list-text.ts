import { type Problem } from '../../../api';
import { type PublishedVersion } from '../../../artifact';
import { textTable } from '../../output/text-table';

/** Returns the text for an empty store or scope. */
export const nothingIn = (store: string, scope: string | undefined): string =>
  `no published versions${scope === undefined ? '' : ` of ${scope}`} in ${store}; compare --store and PINION_STORE with the settings of the publisher\n`;

/** Returns a table of versions with the stages that they are deployed to. */
export const listText = (rows: readonly (PublishedVersion & { readonly deployed: readonly string[] })[]): string =>
  textTable(
    ['ARTIFACT', 'PUBLISHED', 'DIGEST', 'DEPLOYED'],
    rows.map(({ project, name, version, published, digest, deployed }) => [
      `${project}/${name}@${version}`,
      published,
      digest.slice(0, 19),
      deployed.join(', '),
    ]),
  );

/** Returns the problem for a version whose file cannot be read, by its key in the store. */
export const damagedVersion = (key: string, store: string): Problem => ({
  code: 'untrusted-artifact',
  path: [],
  value: key,
  reason: `is damaged in the store ${store}`,
  remedy: 'find out who wrote to the store, and restore the file from a backup',
});
