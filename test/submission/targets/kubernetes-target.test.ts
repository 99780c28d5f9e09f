import { ApiError, type KubeClient, type LiveObject, type SentObject } from '../../../lib/kube';
import { KubernetesTarget, TargetRejection } from '../../../lib/submission';
import { ManualClock } from '../../kube/manual-clock';
import { service } from '../engine/engine-fixture';

const unknown = new ApiError(404, 'NotFound', 'the server could not find the requested resource');

/** A cluster that rejects some objects by name, like an API server without their CRD. */
function createTarget() {
  const clock = new ManualClock();
  const rejectedNames = new Set<string>();
  const response = { error: unknown };
  const apply = (object: SentObject): Promise<LiveObject> =>
    rejectedNames.has(object.metadata.name)
      ? Promise.reject(response.error)
      : Promise.resolve({ ...object, metadata: { ...object.metadata, uid: 'u', resourceVersion: '1' } } as LiveObject);
  const client = { apply } as unknown as KubeClient;
  const onError = (error: unknown): void => {
    throw error;
  };
  const target = new KubernetesTarget({
    ...{ name: 'main', reader: client, writer: client, clock, instance: 'one', onError },
  });
  const outcome = (name: string): Promise<unknown> =>
    target.apply('shop', service(name) as never).catch((error: unknown) => error);
  return { clock, rejectedNames, response, outcome };
}

describe('an unknown kind', () => {
  test('is retried for a minute and then rejected, even if the platform knows other kinds', async () => {
    const { clock, rejectedNames, outcome } = createTarget();
    rejectedNames.add('cart');
    for (let second = 0; second < 60; second += 10) {
      expect(await outcome('web')).not.toBeInstanceOf(Error);
      expect(await outcome('cart')).toBe(unknown);
      await clock.advance(10_000);
    }
    expect(await outcome('cart')).toBeInstanceOf(TargetRejection);
  });

  test('is retried for another minute if it was known in between, or not requested for long', async () => {
    const { clock, rejectedNames, outcome } = createTarget();
    rejectedNames.add('cart');
    expect(await outcome('cart')).toBe(unknown);
    await clock.advance(3_600_000);
    expect(await outcome('cart')).toBe(unknown);
    await clock.advance(40_000);
    rejectedNames.clear();
    expect(await outcome('cart')).not.toBeInstanceOf(Error);
    rejectedNames.add('cart');
    await clock.advance(40_000);
    expect(await outcome('cart')).toBe(unknown);
  });
});

test.each([
  'failed to configure binding: paramKind kind `pinterest.com/v1, Kind=Platform` not yet synced to use for admission',
  'failed to configure policy: failed to find resource referenced by paramKind',
])('a policy that is not ready has denied nothing: %s', async (reason) => {
  const { clock, rejectedNames, response, outcome } = createTarget();
  rejectedNames.add('cart');
  const message = `"cart" is forbidden: ValidatingAdmissionPolicy 'a' with binding 'b' denied request: ${reason}`;
  response.error = new ApiError(422, 'Invalid', message);
  expect(await outcome('cart')).toBe(response.error);
  await clock.advance(60_000);
  response.error = new ApiError(422, 'Invalid', message.replace(/failed to configure.*/, 'image has no digest'));
  expect(await outcome('cart')).toMatchObject({ reason: 'PolicyDenied', owner: 'application' });
});

test('a write conflict is not a rejection, but a webhook denial reported as a conflict is', async () => {
  const { rejectedNames, response, outcome } = createTarget();
  rejectedNames.add('cart');
  response.error = new ApiError(
    409,
    'Conflict',
    'the object has been modified; please apply your changes to the latest',
  );
  expect(await outcome('cart')).toBe(response.error);
  response.error = new ApiError(
    409,
    'Conflict',
    'admission webhook "unique.example.com" denied the request: already exists',
  );
  expect(await outcome('cart')).toMatchObject({ reason: 'PolicyDenied', owner: 'application' });
});
