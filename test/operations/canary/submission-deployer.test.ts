import { type Deployment, RequestFailed, type ServiceClient } from '../../../lib/contract';
import { type CanaryPublisher } from '../../../lib/operations/canary/canary-publisher';
import { canaryWorkload } from '../../../lib/operations/canary/canary-workload';
import { submissionDeployer } from '../../../lib/operations/canary/submission-deployer';
import { ManualClock } from '../../kube/manual-clock';

const project = 'pinion-canary-work';
const large = canaryWorkload({
  ...{ kind: 'PinterestService', namespace: project, name: 'canary-large', run: 'a', version: '1.0.0' },
  ...{ image: 'canary:1', node: 'none', large: true },
});
const signal = new AbortController().signal;

/** A deployer to a service that accepts everything or rejects deployments, with the deployments it received. */
function deployerOf(rejection?: string) {
  const deployed: string[] = [];
  const request = (
    name: string,
    { body }: { readonly body?: { readonly artifact: string } },
  ): Promise<Partial<Deployment>> => {
    if (name === 'deployment') return Promise.resolve({ phase: 'ready' });
    if (rejection !== undefined)
      return Promise.reject(new RequestFailed({ type: 'about:blank', title: rejection, status: 403 } as never));
    deployed.push(body?.artifact ?? '');
    return Promise.resolve({ id: `d${deployed.length}` });
  };
  const publish = (workflow: string, { kind }: { readonly kind: string }) =>
    Promise.resolve(`${project}/${workflow}@${kind}`);
  const deployer = submissionDeployer({
    client: { request } as unknown as ServiceClient,
    publisher: { publish } as unknown as CanaryPublisher,
    clock: new ManualClock(),
    stage: 'canary',
    project,
  });
  return { deployer, deployed };
}

test('deploys a workload that the quota wrongly admits once, and replaces it with the suspended workload', async () => {
  const { deployer, deployed } = deployerOf();
  expect(await deployer.isBlockedByQuota(large, signal)).toBe(false);
  expect(await deployer.isBlockedByQuota(large, signal)).toBe(false);
  expect(deployed).toEqual([`${project}/canary-large@PinterestService`]);
  await deployer.remove(large, signal);
  await deployer.remove(large, signal);
  expect(deployed.slice(1)).toEqual([`${project}/canary-large@PinterestCronJob`]);
});

test('a workload that the quota blocks leaves nothing to delete, and another rejection is a failure', async () => {
  const { deployer, deployed } = deployerOf('quota exceeded');
  expect(await deployer.isBlockedByQuota(large, signal)).toBe(true);
  await deployer.remove(large, signal);
  expect(deployed).toEqual([]);
  await expect(deployerOf('not a member').deployer.isBlockedByQuota(large, signal)).rejects.toThrow('not a member');
});
