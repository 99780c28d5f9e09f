import { parseManifest, type ManifestInput, type PlatformManifest } from '../../../lib/api';
import { defaultPlatform, defaultProfile, resolvePlatform } from '../../../lib/expand';
import { ApiError } from '../../../lib/kube/transport/api-error';
import { type KubeClient, type LiveObject } from '../../../lib/kube';
import { defaultStepLimits } from '../../../lib/operations';
import { CanaryFailure, StepNotApplicableError } from '../../../lib/operations/canary/canary-failure';
import { canaryWorkload } from '../../../lib/operations/canary/canary-workload';
import { type CanaryDeps, type DnsResolver } from '../../../lib/operations/canary/canary-deps';
import {
  type CheckContext,
  checkEnvironment,
  checkNames,
  checkRegistration,
} from '../../../lib/operations/canary/case-checks';
import { nativeObjects } from '../../../lib/operations/canary/synth-deployer';
import { templateIn } from '../../../lib/operations/canary/environment-check';

const documents = [defaultPlatform, defaultProfile].map((one) =>
  parseManifest(one as ManifestInput<'Platform'>),
) as PlatformManifest[];
const context = resolvePlatform(documents).project('work');
const workload = canaryWorkload({
  kind: 'PinterestService',
  namespace: 'work',
  name: 'canary-service',
  run: 'abc',
  version: '1.0.0',
  image: 'registry.example.com/canary:1',
  node: 'node-1',
});
const deployment = nativeObjects(workload, context).find(({ kind }) => kind === 'Deployment');
const spec = deployment && templateIn(deployment)?.spec;

/** Returns the context of a check with a fake API server that has these objects; its pod proxy responds with `registrar`. */
function checkContext(
  objects: Readonly<Record<string, readonly object[]>>,
  options: { readonly dnsResolver?: DnsResolver; readonly registrar?: number } = {},
): CheckContext {
  const client = {
    list: ({ kind }: { readonly kind: string }) =>
      Promise.resolve({ items: (objects[kind] ?? []) as readonly LiveObject[], resourceVersion: '1' }),
    request: (_: string, path: string) =>
      options.registrar === 200
        ? Promise.resolve(path)
        : Promise.reject(new ApiError(options.registrar ?? 0, 'Refused', 'no session with ZooKeeper')),
  } as unknown as KubeClient;
  const clock = { now: () => 0, after: () => () => undefined, random: () => 0 };
  const { signal } = new AbortController();
  const { dnsResolver } = options;
  const deps: CanaryDeps = {
    ...{
      client,
      clock,
      project: 'work',
      image: 'i',
      clusterDomain: 'cluster.local',
      limits: defaultStepLimits,
      signal,
    },
    ...(dnsResolver && { dnsResolver }),
  };
  return { deps, context, workload };
}
const causeOf = async (check: Promise<boolean>): Promise<unknown> => {
  const error: unknown = await check.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof CanaryFailure ? error.facts : error;
};

describe('the environment', () => {
  const pod = (change: (containers: { env?: { name: string }[] }[]) => void): object => {
    const copy = structuredClone(spec) as unknown as { containers: { env?: { name: string }[] }[] };
    change(copy.containers);
    return { metadata: { name: 'canary-1' }, spec: copy };
  };

  test('is complete if pods have everything that the current profile adds', async () => {
    expect(await checkEnvironment(checkContext({ Pod: [pod(() => undefined)] }))).toBe(true);
  });

  test('reports a missing variable by name', async () => {
    const without = pod(([app]) => {
      if (app?.env) app.env = app.env.filter(({ name }) => name !== 'PINION_PROJECT');
    });
    expect(await causeOf(checkEnvironment(checkContext({ Pod: [without] })))).toMatchObject({
      cause: {
        part: 'runtime-profile',
        message: expect.stringContaining('variable PINION_PROJECT of container canary') as string,
      },
    });
  });

  test('is pending while there is no pod', async () => {
    expect(await checkEnvironment(checkContext({}))).toBe(false);
  });
});

describe('names', () => {
  const Service = [{ metadata: { name: 'canary-service' }, spec: { clusterIP: '10.96.0.7' } }];
  const resolving = (...addresses: readonly string[]): DnsResolver => ({
    name: '10.96.0.10',
    addresses: (name) => Promise.resolve(name === 'canary-service.work.svc.cluster.local' ? addresses : []),
  });
  const failing = (code: string): DnsResolver => ({
    name: '10.96.0.10',
    addresses: () => Promise.reject(Object.assign(new Error(code), { code })),
  });

  test('resolve to the address of the Service', async () => {
    expect(await checkNames(checkContext({ Service }, { dnsResolver: resolving('10.96.0.7') }))).toBe(true);
    expect(await checkNames(checkContext({ Service }, { dnsResolver: failing('ENOTFOUND') }))).toBe(false);
  });

  test('that resolve elsewhere, or do not resolve, are reported', async () => {
    expect(await causeOf(checkNames(checkContext({ Service }, { dnsResolver: resolving('10.96.0.8') })))).toMatchObject(
      {
        call: { service: 'dns', message: expect.stringContaining('resolves to 10.96.0.8') as string },
      },
    );
    expect(await causeOf(checkNames(checkContext({ Service }, { dnsResolver: failing('ETIMEOUT') })))).toMatchObject({
      call: { service: 'dns', status: 0 },
    });
  });

  test('are not checked without a name server', async () => {
    expect(await causeOf(checkNames(checkContext({ Service })))).toBeInstanceOf(StepNotApplicableError);
  });
});

describe('registration', () => {
  const registrar = { name: 'pinion-traffic', ports: [{ name: 'pinion-traffic', containerPort: 19106 }] };
  const Pod = [{ metadata: { name: 'canary-1' }, spec: { initContainers: [registrar], containers: [] } }];

  test("is reported by the pod's registrar", async () => {
    expect(await checkRegistration(checkContext({ Pod }, { registrar: 200 }))).toBe(true);
    expect(await causeOf(checkRegistration(checkContext({ Pod }, { registrar: 503 })))).toMatchObject({
      call: { service: 'registrar', status: 503, message: 'no session with ZooKeeper' },
    });
  });

  test('is not checked if the profile has no registrar', async () => {
    const plain = [{ metadata: { name: 'canary-1' }, spec: { containers: [] } }];
    expect(await causeOf(checkRegistration(checkContext({ Pod: plain })))).toBeInstanceOf(StepNotApplicableError);
  });
});
