import {
  deployerName,
  expand,
  expandPlatform,
  resolvePlatform,
  type PlatformContext,
  type KubernetesObject,
} from '../../lib/expand';
import { messageOf } from '../control-plane/api-response';
import { type Client, type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { installCrds, applyAll, createProject } from './cluster-setup';
import { goldenCases, type StoredCase } from './golden-cases';
import { podsOf } from './template-pods';

type DryRunMethod = 'applyDryRun' | 'createDryRun';

/** Returns the errors and warnings of the server about an object. */
async function serverMessages(
  client: Client,
  sent: SendableObject,
  method: DryRunMethod,
  stored: StoredCase,
): Promise<string[]> {
  const response = await (method === 'applyDryRun' ? client.applyDryRun(sent) : client.create(sent, { dryRun: true }));
  const rejection = response.status === 200 || response.status === 201 ? [] : [messageOf(response)];
  const allowed = stored.golden.allowedWarnings ?? [];
  const warnings = response.warnings.filter((text) => !allowed.some((part) => text.includes(part)));
  return [...rejection, ...warnings].map((text) => `${sent.kind} ${sent.metadata.name}: ${text}`);
}

/** Creates the priority classes of a Platform's tiers, whose values are immutable, and waits until admission knows them. */
async function createPriorityClasses(client: Client, cluster: PlatformContext, namespace: string): Promise<void> {
  const classes = expandPlatform(cluster).filter(({ kind }) => kind === 'PriorityClass') as unknown as SendableObject[];
  for (const priorityClass of classes)
    if ((await client.applyDryRun(priorityClass)).status === 422) await client.delete(priorityClass);
  await applyAll(client, classes);
  for (const { metadata } of classes) {
    const container = { name: 'app', image: 'app' };
    const pod = {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'probe', namespace } },
      spec: { serviceAccountName: deployerName, priorityClassName: metadata.name, containers: [container] },
    };
    await client.waitFor(`priority class ${metadata.name}`, async () => {
      return !messageOf(await client.create(pod, { dryRun: true })).includes('no PriorityClass');
    });
  }
}

describeControlPlane('golden cases on the API server', (controlPlane) => {
  beforeAll(() => installCrds(controlPlane().client));

  test('the server warns about a pod that violates Pod Security in the namespace of a project', async () => {
    const { client } = controlPlane();
    const cluster = resolvePlatform([]);
    await createProject(client, cluster.project('watched').project, cluster);
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { hostNetwork: true, containers: [{ name: 'app', image: 'app' }] },
    };
    const deployment = {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', namespace: 'watched' } },
      spec: { selector: { matchLabels: { app: 'a' } }, template },
    };
    const warning = expect.stringContaining('would violate PodSecurity "restricted:v1.36"') as string;
    expect(await client.applyDryRun(deployment)).toMatchObject({ status: 201, warnings: [warning] });
  });

  describe.each(goldenCases.map((stored) => [stored.name, stored] as const))('%s', (_, stored) => {
    const { inputs, platformInputs, workloads, platform } = stored;
    const cluster = resolvePlatform(platform);
    const objects = workloads.flatMap((workload) => expand(workload, cluster.project(workload.metadata.namespace)));
    const projects = [...new Set(workloads.map(({ metadata }) => metadata.namespace))];
    const send = async (sent: readonly object[], method: DryRunMethod): Promise<readonly string[]> => {
      const { client } = controlPlane();
      return (
        await Promise.all(sent.map((one) => serverMessages(client, one as SendableObject, method, stored)))
      ).flat();
    };

    test('the server accepts its manifests and all their objects without a warning', async () => {
      for (const name of projects) await createProject(controlPlane().client, cluster.project(name).project, cluster);
      expect(await send([...platformInputs, ...inputs], 'createDryRun')).toEqual([]);
      expect(await send(objects, 'applyDryRun')).toEqual([]);
    });

    test('the server accepts the pods of its controllers with their accounts, tiers and limits', async () => {
      const { client } = controlPlane();
      await createPriorityClasses(client, cluster, projects[0] as string);
      await applyAll(
        client,
        objects.filter(({ kind }: KubernetesObject) => kind === 'ServiceAccount'),
      );
      expect(await send(objects.flatMap(podsOf), 'createDryRun')).toEqual([]);
    });
  });
});
