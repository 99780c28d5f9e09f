/** Pages of docs/ by section of the site; `folder/` stands for all pages of a folder. */
export const navigation = {
  'Start here': ['getting-started', 'connect', 'install', 'testing', 'framework', 'architecture'],
  'Workload kinds': ['kinds/', 'common-fields', 'field-coverage', 'runtime-profile'],
  'Publish and deploy': ['publish', 'deploy', 'submission', 'submission-identity'],
  'Run clusters': [
    ...['cluster', 'controller', 'stacks', 'platform-stack', 'capacity', 'quota', 'scale'],
    ...[
      'impact',
      'rollouts',
      'rolling',
      'security',
      'node-identity',
      'apiserver-memory',
      'images',
      'rehearsal',
      'gateway',
    ],
  ],
  'Observe and diagnose': ['observability', 'canary', 'etcd', 'profile', 'audit', 'clients', 'fleet'],
  Reference: ['cli', 'errors', 'reasons', 'public-api', 'compatibility', 'commands', 'decisions', 'releasing'],
  Runbooks: ['runbooks/'],
};

/**
 * Returns section and position of a page, by its path below docs/ without `.md`; undefined if no section lists it.
 */
export function positionOf(page) {
  for (const [section, pages] of Object.entries(navigation)) {
    const position = pages.findIndex((entry) => entry === page || (entry.endsWith('/') && page.startsWith(entry)));
    if (position >= 0) return { section, position };
  }
  return undefined;
}
