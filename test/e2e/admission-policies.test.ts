import {
  isError,
  parseManifest,
  safeParseManifest,
  type ManifestInput,
  type PlatformManifest,
  type Workload,
} from '../../lib/api';
import { safeExpand, expandPlatform, resolvePlatform, type PlatformContext } from '../../lib/expand';
import { listPlatformRules } from '../../lib/expand/policies/platform-rules';
import { type ApiResponse, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { installCrds, applyAll, createProject } from './cluster-setup';
import { rejectionOf, isAccepted } from './server-response';
import { largestPatches, patchCases, servicePatchedBy } from './patch-cases';
import { richCluster, sparseCluster, platformRuleCases } from './platform-rule-cases';

const cases = platformRuleCases.map((one) => [one.title ?? one.rule, one] as const);
const contextOf = (documents: readonly ManifestInput[]): PlatformContext =>
  resolvePlatform(documents.map((document) => parseManifest(document)) as readonly PlatformManifest[]);

describeControlPlane('admission policies of a Platform', (controlPlane) => {
  const send = (input: ManifestInput): Promise<ApiResponse> =>
    controlPlane().client.create(input as SendableObject, { dryRun: true });
  /** Returns the rules that pinion reports as violated. */
  const violatedRules = (input: ManifestInput, cluster: PlatformContext): readonly (string | undefined)[] => {
    const workload = parseManifest(input) as Workload;
    const { problems } = safeExpand(workload, cluster.project(workload.metadata.namespace));
    return problems.filter(isError).map(({ rule }) => rule);
  };

  async function setUpPlatform(documents: readonly ManifestInput[]): Promise<void> {
    const { client } = controlPlane();
    await applyAll(client, documents as readonly SendableObject[]);
    const cluster = contextOf(documents);
    await applyAll(client, expandPlatform(cluster));
    for (const name of ['shop', 'machines', 'visitors'])
      await createProject(client, cluster.project(name).project, cluster);
  }
  /** Waits for admission, which sees the stored Platform, policies and namespaces with independent delays. */
  const waitForDecision = async (inputs: readonly ManifestInput[], isExpectedAccepted: boolean): Promise<void> => {
    for (const input of inputs)
      await controlPlane().client.waitFor(
        `${input.kind} to be ${isExpectedAccepted ? 'accepted' : 'rejected'}`,
        async () => isAccepted(await send(input)) === isExpectedAccepted,
      );
  };
  const casesOf = (rule: string): readonly ManifestInput[] =>
    platformRuleCases.filter((one) => one.rule === rule).map(({ input }) => input);
  const probes = [
    ...casesOf('tier-offered'),
    ...casesOf('sidecar-known'),
    ...casesOf('daemon-host-network'),
    ...casesOf('daemon-infrastructure'),
    ...casesOf('hosts-owned'),
    ...casesOf('load-balancer-annotations-allowed'),
  ];

  const existingWorkload = {
    ...casesOf('tier-offered')[0],
    metadata: { name: 'kept', namespace: 'shop', finalizers: ['example.com/kept'] },
  } as SendableObject;

  test('covers every rule with a case', () => {
    const exercised = new Set(platformRuleCases.map(({ rule }) => rule));
    expect(
      listPlatformRules()
        .map(({ name }) => name)
        .filter((name) => !exercised.has(name)),
    ).toEqual([]);
  });

  describe('on a Platform that allows everything', () => {
    beforeAll(async () => {
      await installCrds(controlPlane().client);
      await setUpPlatform(richCluster);
      const unknownTier = casesOf('tier-offered').map(({ spec, ...rest }) => ({
        ...rest,
        spec: { ...spec, tier: 'none' },
      }));
      await waitForDecision(unknownTier, false);
      await waitForDecision(probes, true);
    });

    test.each(cases)('accepts a workload that satisfies %s', async (_, { input }) => {
      expect(rejectionOf(await send(input))).toBeUndefined();
      expect(violatedRules(input, contextOf(richCluster)).filter((rule) => rule !== undefined)).toEqual([]);
    });

    test.each(patchCases.map((one) => [one.isAdmitted ? 'admits' : 'rejects', one.title, one] as const))(
      '%s the patch of %s',
      async (_, __, { isAdmitted, input }) => {
        const response = await send(input);
        expect([isAccepted(response), rejectionOf(response)]).toEqual([
          isAdmitted,
          isAdmitted ? undefined : (expect.stringContaining('spec.patches') as string),
        ]);
        const { manifest } = safeParseManifest(input);
        const cluster = contextOf(richCluster);
        const isExpanded =
          manifest !== undefined && !safeExpand(manifest as Workload, cluster.project('shop')).problems.some(isError);
        expect(isExpanded).toBe(isAdmitted);
      },
    );

    test('evaluates the largest patches within the cost limit, and rejects longer paths instead of stalling', async () => {
      expect(rejectionOf(await send(servicePatchedBy(largestPatches)))).toBeUndefined();
      const path = `/metadata/annotations/${'x'.repeat(1000)}`;
      const operations = Array.from({ length: 64 }, () => ({ op: 'add', path, value: 'a' }));
      const long = Array.from({ length: 32 }, () => ({ kind: 'Deployment', operations }));
      const response = await send(servicePatchedBy(long));
      expect([201, 403, 422]).toContain(response.status);
    });

    test('stores a workload', async () => {
      expect(await controlPlane().client.create(existingWorkload)).toMatchObject({ status: 201 });
    });
  });

  describe('on a Platform that allows almost nothing', () => {
    beforeAll(async () => {
      await setUpPlatform(sparseCluster);
      await waitForDecision(probes, false);
    });

    test.each(cases)('rejects a workload that violates %s', async (_, { rule, input }) => {
      const violated = listPlatformRules().find(({ name }) => name === rule);
      const response = await send(input);
      expect([response.status, messageOf(response)]).toEqual([
        violated?.code === 'required' ? 422 : 403,
        expect.stringContaining(violated?.reason ?? '(unknown rule)'),
      ]);
      expect(violatedRules(input, contextOf(sparseCluster))).toContain(rule);
    });

    test('allows metadata changes to and deletion of an existing workload, but no other change', async () => {
      const { client } = controlPlane();
      const { body } = await client.get(existingWorkload);
      const stored = body as { metadata: object; spec: object };
      const path = `${await client.discovery.objectPath(existingWorkload)}`;
      const changed = { ...stored, spec: { ...stored.spec, version: '2' } };
      expect(await client.request('PUT', path, changed)).toMatchObject({ status: 403 });
      const withoutFinalizers = { ...stored, metadata: { ...stored.metadata, finalizers: [] } };
      expect(await client.request('PUT', path, withoutFinalizers)).toMatchObject({ status: 200 });
      expect(await client.delete(existingWorkload)).toMatchObject({ status: 200 });
    });
  });
});
