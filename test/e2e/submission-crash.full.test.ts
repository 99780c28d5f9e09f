import { describeCrash } from './submission-crash';

describeCrash('a service that is killed in the middle of a deployment that is rolled back', {
  version: '3.0.0',
  phase: 'rolledBack',
  runs: '1.0.0',
  changes: 2,
});
