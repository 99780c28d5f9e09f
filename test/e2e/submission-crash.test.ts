import { CrashRecovery, testEachCrash } from './crash-recovery';
import { describePinion } from './pinion-suite';

describePinion('a submission service that is killed during a deployment', (pinion) => {
  let deployments: CrashRecovery;
  beforeAll(async () => {
    deployments = await CrashRecovery.create(pinion());
  }, 60_000);

  // The next process knows only what was written: a kill before a write, which the full suite has, equals one after the previous write.
  testEachCrash('after', () => deployments);
});
