import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { Registry } from 'prom-client';
import { manager } from '../../lib/api';
import { expand, type KubernetesObject, resolvePlatform } from '../../lib/expand';
import { clientMetrics, connect, type KubeClient, loadKubeConfig, resourceOf, type WatchEvent } from '../../lib/kube';
import { messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeCluster } from '../control-plane/cluster-suite';
import { realClock } from '../kube/real-clock';
import { goldenCases } from './golden-cases';

const definitions = join(__dirname, '..', '..', 'crds');
const configMaps = resourceOf('ConfigMap');

/** Returns the namespaced objects of a workload in another namespace. */
const inNamespace = (namespace: string, objects: readonly KubernetesObject[]): SendableObject[] =>
  objects
    .filter(({ metadata }) => metadata.namespace !== undefined)
    .map((object) => ({ ...object, metadata: { ...object.metadata, namespace } }) as SendableObject);

// Writes only to its own namespace, so any running cluster can be used.
describeCluster(
  'any cluster',
  (cluster) => {
    let namespace: string;
    let client: KubeClient;
    beforeAll(async () => {
      namespace = await cluster().namespace('pinion-any');
      const config = loadKubeConfig({ file: cluster().kubeconfig, environment: {} });
      client = connect(config, {
        ...{ clock: realClock, userAgent: 'pinion-test', fieldManager: manager },
        metrics: clientMetrics(new Registry()),
      });
    });
    afterAll(() => client.close());

    test.each(readdirSync(definitions).filter((file) => file.endsWith('.yaml')))(
      'accepts the definition %s in a dry run',
      async (file) => {
        const definition = load(readFileSync(join(definitions, file), 'utf8')) as SendableObject;
        const response = await cluster().client.applyDryRun(definition);
        expect([200, 201, messageOf(response)]).toContain(response.status);
      },
    );

    test.each(goldenCases.map((stored) => [stored.name, stored] as const))(
      'accepts the objects of the workloads of %s in a dry run',
      async (_, { workloads, platform }) => {
        const projects = resolvePlatform(platform);
        const objects = workloads.flatMap((workload) =>
          expand(workload, projects.project(workload.metadata.namespace)),
        );
        const rejections: string[] = [];
        for (const object of inNamespace(namespace, objects)) {
          const response = await cluster().client.applyDryRun(object);
          if (response.status !== 200 && response.status !== 201)
            rejections.push(`${object.kind} ${object.metadata.name}: ${messageOf(response)}`);
        }
        expect(rejections).toEqual([]);
      },
    );

    test('is watched and written by the client of the controller as one field manager', async () => {
      const name = 'applied';
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { level: 'info' } };
      const { resourceVersion } = await client.list(configMaps, { namespace });
      const abort = new AbortController();
      const observed: string[] = [];
      const watch = client.watch(
        configMaps,
        { namespace, resourceVersion },
        ({ type, object: { metadata } }: WatchEvent) => {
          if (metadata.name === name) observed.push(type);
          if (type === 'DELETED') abort.abort();
        },
        { signal: abort.signal },
      );
      // It may end before the response to the deletion arrives.
      const outcome = watch.catch((error: unknown) => error);
      const created = await client.apply(object);
      expect(created.metadata.managedFields).toMatchObject([{ manager, operation: 'Apply' }]);
      const emptied = await client.apply({ ...object, data: {} });
      expect(emptied['data'] ?? {}).toEqual({});
      await client.delete(configMaps, { name, namespace }, { uid: created.metadata.uid });
      expect(await outcome).toMatchObject({ reason: 'Aborted' });
      expect(observed).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    });
  },
  { needs: [] },
);
