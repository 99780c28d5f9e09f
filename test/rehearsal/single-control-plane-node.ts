import { describeAcceptedFiles } from './describe-accepted-files';
import { describeApiProtection } from './describe-api-protection';
import { bringUpControlPlaneNode, type ReadyControlPlaneNode } from './ready-control-plane-node';
import { describePlannedState } from './describe-planned-state';
import { describeRehearsal } from './suite';
import { type RehearsedVersion } from './tools';
import { describeWorkerJoin } from './describe-worker-join';

/**
 * Defines a suite with a single control plane node that comes up without the others and is checked in every respect.
 */
export function describeSingleControlPlaneNode(kubernetes: RehearsedVersion): void {
  describeRehearsal(
    `a single control plane node of Kubernetes ${kubernetes}`,
    { kubernetes, alone: true },
    (rehearsal) => {
      let created: ReadyControlPlaneNode | undefined;
      const given = (): ReadyControlPlaneNode => {
        if (!created) throw new Error('the control plane node did not bootstrap');
        return created;
      };
      beforeAll(async () => {
        created = await bringUpControlPlaneNode(rehearsal(), 'a');
      }, 900_000);
      describePlannedState(given);
      describeApiProtection(given);
      describeAcceptedFiles(given);
      describeWorkerJoin(rehearsal, given);
    },
  );
}
