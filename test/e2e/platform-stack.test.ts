import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { parseManifest, safeParseManifest, isWorkloadKind, type PlatformManifest, type Workload } from '../../lib/api';
import { expand, expandPlatform, resolvePlatform, type PlatformContext, type KubernetesObject } from '../../lib/expand';
import { planPlatformStack } from '../../stacks/plan/platform';
import { messageOf } from '../control-plane/api-response';
import { findBinaries } from '../control-plane/binaries';
import { type SendableObject } from '../control-plane/client';
import { runCommand } from '../control-plane/command';
import { describeControlPlane } from '../control-plane/suite';
import { operatorDefinitions } from '../observability/operator-definitions';
import { makePlatformInput } from '../stacks/plan/platform/make-platform-input';
import { createProject } from './cluster-setup';
import { podsOf } from './template-pods';

const { network, platform } = makePlatformInput();
const stackInput = makePlatformInput({
  network: { ...network, services: '10.96.0.0/16' },
  platform: {
    ...platform,
    ingress: { internal: { ingressClassName: 'internal' }, external: { ingressClassName: 'external' } },
  },
});
const stages = planPlatformStack(stackInput);
const allObjects = stages.flatMap(({ objects }) => [...objects]);
const documents = allObjects.filter(({ kind }) => ['Platform', 'RuntimeProfile', 'Project'].includes(kind));
const cluster: PlatformContext = resolvePlatform(
  documents.map((document) => parseManifest(document as never)) as PlatformManifest[],
);

const expanded = (object: KubernetesObject): readonly KubernetesObject[] => {
  const { manifest } = safeParseManifest(object);
  return manifest && isWorkloadKind(manifest.kind)
    ? expand(manifest as Workload, cluster.project(object.metadata.namespace ?? ''))
    : [];
};
const titleOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

describeControlPlane('the platform stack on an empty control plane', (controlPlane) => {
  /** Applies an object; returns errors and warnings of the server. */
  async function apply(object: KubernetesObject): Promise<string[]> {
    const { client } = controlPlane();
    const sendable = object as unknown as SendableObject;
    const response =
      object.kind === 'CustomResourceDefinition' ? await client.createCrd(sendable) : await client.apply(sendable);
    const rejection = response.status === 200 || response.status === 201 ? [] : [messageOf(response)];
    return [...rejection, ...response.warnings].map((text) => `${titleOf(object)}: ${text}`);
  }

  const applyEach = async (objects: readonly KubernetesObject[]): Promise<string[]> => {
    const messages: string[] = [];
    for (const object of objects) messages.push(...(await apply(object)));
    return messages;
  };

  // No controller runs here: the test calls the functions that the controller uses.
  test('applies every stage in order without a warning', async () => {
    const { client } = controlPlane();
    for (const { name, objects } of stages) {
      expect([name, ...(await applyEach(objects))]).toEqual([name]);
      if (name !== 'pinion') continue;
      expect(await applyEach(expandPlatform(cluster))).toEqual([]);
      for (const { kind, metadata } of documents)
        if (kind === 'Project') await createProject(client, cluster.project(metadata.name).project, cluster);
    }
  }, 120_000);

  test('applies the objects of the workloads and admits every pod without a warning', async () => {
    const { client } = controlPlane();
    const created = allObjects.flatMap(expanded);
    expect(created.length).toBeGreaterThan(20);
    expect(await applyEach(created)).toEqual([]);
    for (const pod of [...allObjects.filter(({ kind }) => !isWorkloadKind(kind)), ...created].flatMap(podsOf)) {
      const response = await client.create(pod as unknown as SendableObject, { dryRun: true });
      expect([response.status, response.status === 201 ? '' : messageOf(response), ...response.warnings]).toEqual([
        201,
        '',
      ]);
    }
  }, 120_000);

  test('changes nothing when it is applied again', async () => {
    const { client } = controlPlane();
    // The API server writes the status of an APIService whose backend is missing.
    const stableObjects = allObjects.filter(({ kind }) => kind !== 'APIService');
    const versions = async () =>
      Promise.all(
        stableObjects.map(async (object) => {
          const { body } = await client.get(object as unknown as SendableObject);
          return [titleOf(object), (body as KubernetesObject).metadata['resourceVersion' as never]];
        }),
      );
    const before = await versions();
    expect(await applyEach(allObjects)).toEqual([]);
    expect(await versions()).toEqual(before);
  }, 120_000);

  const operator = operatorDefinitions();
  const withOperator = 'skipped' in operator ? test.skip : test;
  const skipReason = 'skipped' in operator ? ` (skipped: ${operator.skipped})` : '';

  withOperator(
    `the CRDs of the Prometheus Operator keep rules and monitors unchanged${skipReason}`,
    async () => {
      if ('skipped' in operator) throw new Error(operator.skipped);
      const { client } = controlPlane();
      for (const definition of operator.definitions) await client.createCrd(definition);
      const withRules = { ...stackInput, observability: { rules: 'prometheus-rule' as const } };
      const rules = planPlatformStack(withRules)
        .flatMap(({ objects }) => objects)
        .filter((object) => object.apiVersion === 'monitoring.coreos.com/v1');
      expect(rules.map(({ metadata }) => metadata.name)).toEqual(
        expect.arrayContaining(['pinion-recordings', 'pinion-alerts', 'pinion-controller', 'pinion-registrar']),
      );
      expect(await applyEach(rules)).toEqual([]);
      for (const rule of rules) {
        const { body } = await client.get(rule as unknown as SendableObject);
        expect((body as KubernetesObject)['spec']).toEqual(JSON.parse(JSON.stringify(rule['spec'])));
      }
    },
    120_000,
  );
});

const proxy = findBinaries(['kube-proxy']);
const withProxy = 'skipped' in proxy ? test.skip : test;

withProxy('kube-proxy accepts its configuration and adds defaults without changing it', async () => {
  if ('skipped' in proxy) throw new Error(proxy.skipped);
  const folder = mkdtempSync(join(tmpdir(), 'pinion-kube-proxy-'));
  try {
    const map = allObjects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'kube-proxy');
    const text = (map?.['data'] as Record<string, string>)['config.conf'] ?? '';
    const [written, completed] = ['written.yaml', 'completed.yaml'].map((name) => join(folder, name)) as [
      string,
      string,
    ];
    writeFileSync(written, text);
    const args = [`--config=${written}`, `--write-config-to=${completed}`];
    const { code, stderr } = await runCommand(proxy.paths['kube-proxy'], args, '', {});
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/lenient|invalid|unknown/)]);
    expect(load(readFileSync(completed, 'utf8'))).toMatchObject(load(text) as object);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
