import { acceptedFiles } from './accepted-files';
import { guardsTheApi } from './guards-the-api';
import { bringUpControlPlaneNode, type ReadyControlPlaneNode } from './made-control-plane-node';
import { runsAsPlanned } from './runs-as-planned';
import { describeRehearsal } from './suite';
import { type RehearsedVersion } from './tools';
import { workerJoins } from './worker-joins';

/**
 * Defines a suite with a single control plane node that comes up without the others and is checked in every respect.
 */
export function describeSingleControlPlaneNode(kubernetes: RehearsedVersion): void {
  describeRehearsal(
    `a single control plane node of Kubernetes ${kubernetes}`,
    { kubernetes, alone: true },
    (rehearsal) => {
      let made: ReadyControlPlaneNode | undefined;
      const given = (): ReadyControlPlaneNode => {
        if (!made) throw new Error('the control plane node did not bootstrap');
        return made;
      };
      beforeAll(async () => {
        made = await bringUpControlPlaneNode(rehearsal(), 'a');
      }, 900_000);
      runsAsPlanned(given);
      guardsTheApi(given);
      acceptedFiles(given);
      workerJoins(rehearsal, given);
    },
  );
}
