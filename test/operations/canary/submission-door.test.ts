import { type Deployment, RequestFailed, type ServiceClient } from '../../../lib/contract';
import { type CanaryPublisher } from '../../../lib/operations/canary/canary-publisher';
import { canaryWorkload } from '../../../lib/operations/canary/canary-workload';
import { submissionDoor } from '../../../lib/operations/canary/submission-door';
import { ManualClock } from '../../kube/manual-clock';

const project = 'pinion-canary-work';
const large = canaryWorkload({
  ...{ kind: 'PinterestService', namespace: project, name: 'canary-large', run: 'a', version: '1.0.0' },
  ...{ image: 'canary:1', node: 'none', large: true },
});
const signal = new AbortController().signal;

/** A door to a service that takes everything, or refuses what is deployed; what it deployed. */
function doorOf(refusal?: string) {
  const deployed: string[] = [];
  const request = (
    name: string,
    { body }: { readonly body?: { readonly artifact: string } },
  ): Promise<Partial<Deployment>> => {
    if (name === 'deployment') return Promise.resolve({ phase: 'ready' });
    if (refusal !== undefined)
      return Promise.reject(new RequestFailed({ type: 'about:blank', title: refusal, status: 403 } as never));
    deployed.push(body?.artifact ?? '');
    return Promise.resolve({ id: `d${deployed.length}` });
  };
  const publish = (workflow: string, { kind }: { readonly kind: string }) =>
    Promise.resolve(`${project}/${workflow}@${kind}`);
  const door = submissionDoor({
    client: { request } as unknown as ServiceClient,
    publisher: { publish } as unknown as CanaryPublisher,
    clock: new ManualClock(),
    stage: 'canary',
    project,
  });
  return { door, deployed };
}

test('what the quota wrongly lets in is deployed once, and cleared by what rests between runs', async () => {
  const { door, deployed } = doorOf();
  expect(await door.isHeldBack(large, signal)).toBe(false);
  expect(await door.isHeldBack(large, signal)).toBe(false);
  expect(deployed).toEqual([`${project}/canary-large@PinterestService`]);
  await door.remove(large, signal);
  await door.remove(large, signal);
  expect(deployed.slice(1)).toEqual([`${project}/canary-large@PinterestCronJob`]);
});

test('what the quota holds back left nothing to clear; another refusal is a failure', async () => {
  const { door, deployed } = doorOf('quota exceeded');
  expect(await door.isHeldBack(large, signal)).toBe(true);
  await door.remove(large, signal);
  expect(deployed).toEqual([]);
  await expect(doorOf('not a member').door.isHeldBack(large, signal)).rejects.toThrow('not a member');
});
