// Several suites run at a time: a long one that begins last would be waited for alone.
const { default: Sequencer } = require('@jest/test-sequencer');

const longest = [
  ...['chaos', 'pulumi-platform', 'submission-malformed', 'submission-service', 'own-life', 'roll', 'pulumi'],
  ...['page', 'submission-crash', 'metrics-catalogue', 'doors', 'rehearsal', 'adoption'],
];
const placeOf = ({ path }) => {
  const place = longest.findIndex((name) => path.endsWith(`/${name}.test.ts`));
  return place < 0 ? longest.length : place;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
  }
};
