import { describeAcceptedFiles } from './describe-accepted-files';
import { describeApiProtection } from './describe-api-protection';
import { bringUpControlPlaneNode, type ReadyControlPlaneNode } from './ready-control-plane-node';
import { describePlannedState } from './describe-planned-state';
import { describeRehearsal } from './suite';
import { type RehearsedVersion } from './tools';
import { describeWorkerJoin } from './describe-worker-join';

/**
 * Defines a suite with all checks of a single control plane node that comes up without the others.
 */
export function describeSingleControlPlaneNode(kubernetes: RehearsedVersion): void {
  describeRehearsal(
    `a single control plane node of Kubernetes ${kubernetes}`,
    { kubernetes, alone: true },
    (rehearsal) => {
      let readyNode: ReadyControlPlaneNode | undefined;
      const node = (): ReadyControlPlaneNode => {
        if (!readyNode) throw new Error('the control plane node did not bootstrap');
        return readyNode;
      };
      beforeAll(async () => {
        readyNode = await bringUpControlPlaneNode(rehearsal(), 'a');
      }, 900_000);
      describePlannedState(node);
      describeApiProtection(node);
      describeAcceptedFiles(node);
      describeWorkerJoin(rehearsal, node);
    },
  );
}
