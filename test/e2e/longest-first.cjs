// Several suites run at a time: a long one that begins last would be waited for alone.
const { default: Sequencer } = require('@jest/test-sequencer');

const longest = [
  ...[
    'platform-rollout',
    'verified-workloads',
    'rehearsal',
    'train',
    'canary',
    'job-sets',
    'entry-points',
    'security',
    'kinds',
    'pinion-upgrade',
    'before-deployment',
    'service-variants',
    'roll',
  ],
  ...['submission-crash', 'plan', 'submission-service', 'etcd-operations', 'node-identity', 'registrar', 'page'],
  ...['page-rendering', 'metrics-catalog', 'real-node-platform'],
  ...['service-lifecycle', 'adoption'],
];
const placeOf = ({ path }) => {
  if (path.endsWith('.full.test.ts')) return -1;
  const place = longest.findIndex((name) => path.endsWith(`/${name}.test.ts`));
  return place < 0 ? longest.length : place;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
  }
};
