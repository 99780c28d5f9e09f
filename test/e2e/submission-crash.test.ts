import { describeCrash } from './submission-crash';

describeCrash('a service that is killed in the middle of a deployment', {
  version: '2.0.0',
  phase: 'ready',
  runs: '2.0.0',
  changes: 1,
});
