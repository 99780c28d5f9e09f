import { ApiError, type KubeClient } from '../../../lib/kube';
import { withCanaryLease, CanaryNotInstalled, type CanaryDeps, defaultStepLimits } from '../../../lib/operations';
import { LeaseStore } from '../../kube/lease-store';
import { ManualClock, settled } from '../../kube/manual-clock';

const at = { delay: () => 5, lost: () => false };

/** A cluster with one Lease, in which a run leaves one pod. A double, because a real one cannot run on a simulated clock. */
class Cluster {
  readonly clock = new ManualClock(() => 0.5);
  readonly leases = new LeaseStore(this.clock);
  readonly stopping = new AbortController();
  pods: string[] = [];
  /** Holder of the lease when the pod was deleted. */
  holderAtDeletion: unknown;

  deps(overrides: Partial<KubeClient> = {}): CanaryDeps {
    const client = {
      ...this.leases.client(at),
      list: ({ plural }: { readonly plural: string }) =>
        Promise.resolve({
          items: plural === 'pods' ? this.pods.map((name) => ({ kind: 'Pod', metadata: { name } })) : [],
        }),
      delete: () => {
        this.holderAtDeletion = this.holder;
        this.pods = [];
        return Promise.resolve();
      },
      ...overrides,
    };
    return {
      client: { ...client, unlimited: client } as unknown as KubeClient,
      clock: this.clock,
      project: 'pinion-canary-work',
      image: 'canary:1',
      clusterDomain: 'cluster.local',
      limits: defaultStepLimits,
      signal: this.stopping.signal,
    };
  }

  get holder(): unknown {
    return (this.leases.lease?.['spec'] as { readonly holderIdentity?: string } | undefined)?.holderIdentity;
  }

  /** Creates its pod, and runs until it is stopped. */
  readonly work = (deps: CanaryDeps): Promise<string> => {
    this.pods = ['canary-service'];
    return new Promise((resolve) => deps.signal.addEventListener('abort', () => resolve('done')));
  };
}

test('deletes the objects of a stopped run while the lease is still held, and throws', async () => {
  const cluster = new Cluster();
  const run = withCanaryLease(cluster.deps(), 'pinion-canary', cluster.work);
  await cluster.clock.advance(60_000);
  expect([cluster.pods, cluster.holder]).toEqual([['canary-service'], expect.stringMatching(/^canary-/)]);
  const { holder } = cluster;
  cluster.stopping.abort();
  await cluster.clock.advance(5_000);
  expect([await run, cluster.pods, cluster.holderAtDeletion, cluster.holder]).toEqual([undefined, [], holder, '']);
});

test('a run that lost its lease deletes nothing, because another run may be in progress', async () => {
  const cluster = new Cluster();
  let isCut = false;
  const cut = <T>(send: () => Promise<T>): Promise<T> =>
    isCut ? Promise.reject(new ApiError(0, 'Unreachable', 'gone')) : send();
  const { client } = cluster.deps();
  const overrides = {
    get: (...args: Parameters<KubeClient['get']>) => cut(() => client.get(...args)),
    update: (...args: Parameters<KubeClient['update']>) => cut(() => client.update(...args)),
  };
  const run = withCanaryLease(cluster.deps(overrides), 'pinion-canary', cluster.work);
  await cluster.clock.advance(10_000);
  isCut = true;
  await cluster.clock.advance(60_000);
  expect([await run, cluster.pods]).toEqual([undefined, ['canary-service']]);
});

test('does not wait if the namespace is missing or the lease is forbidden', async () => {
  for (const [status, expected] of [
    [404, new CanaryNotInstalled('namespace pinion-canary not found; apply the output of "pinion canary manifests"')],
    [403, new ApiError(403, 'Forbidden', 'refused')],
  ] as const) {
    const cluster = new Cluster();
    const create = () => Promise.reject(new ApiError(status, 'Forbidden', 'refused'));
    const run = withCanaryLease(cluster.deps({ create }), 'pinion-canary', cluster.work);
    const rejection = expect(run).rejects.toEqual(expected);
    await cluster.clock.advance(1_000);
    await rejection;
  }
});

test('retries during a short API server outage, but not after 20 s without a response', async () => {
  const cluster = new Cluster();
  const unreachable = { get: () => Promise.reject(new ApiError(0, 'Unreachable', 'gone')) };
  let ended = 'not yet';
  const run = withCanaryLease(cluster.deps(unreachable), 'pinion-canary', cluster.work).catch((error: unknown) => {
    ended = String(error);
  });
  await cluster.clock.advance(18_000);
  expect(ended).toBe('not yet');
  await cluster.clock.advance(12_000);
  await run;
  expect(ended).toContain('gone');
});

test('a stop ends the wait for another run', async () => {
  const cluster = new Cluster();
  const holders: string[] = [];
  const first = withCanaryLease(cluster.deps(), 'pinion-canary', () => new Promise<string>(() => undefined));
  await cluster.clock.advance(1_000);
  const stopping = new AbortController();
  const deps = { ...cluster.deps(), signal: stopping.signal };
  const second = withCanaryLease(
    { ...deps, clock: Object.assign(deps.clock, { random: () => 0.25 }) },
    'pinion-canary',
    cluster.work,
    (holder) => holders.push(holder),
  );
  await cluster.clock.advance(120_000);
  expect(holders).toEqual([cluster.holder]);
  stopping.abort();
  await settled();
  await cluster.clock.advance(1_000);
  expect([await second, cluster.pods]).toEqual([undefined, []]);
  void first;
});
