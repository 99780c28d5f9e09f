import { acceptedFiles } from './accepted-files';
import { guardsTheApi } from './guards-the-api';
import { makeMaster, type MadeMaster } from './made-control-plane-node';
import { runsAsPlanned } from './runs-as-planned';
import { describeRehearsal } from './suite';
import { type RehearsedVersion } from './tools';
import { workerJoins } from './worker-joins';

/** A suite with one of the planned masters, which comes up without the others and is looked at from all sides. */
export function describeWholeMaster(kubernetes: RehearsedVersion): void {
  describeRehearsal(`a master of Kubernetes ${kubernetes}, alone`, { kubernetes, alone: true }, (rehearsal) => {
    let made: MadeMaster | undefined;
    const given = (): MadeMaster => {
      if (!made) throw new Error('the master was not made');
      return made;
    };
    beforeAll(async () => {
      made = await makeMaster(rehearsal(), 'a');
    }, 900_000);
    runsAsPlanned(given);
    guardsTheApi(given);
    acceptedFiles(given);
    workerJoins(rehearsal, given);
  });
}
