import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { causesOf, messageOf } from '../control-plane/api-response';
import { controlPlanePrograms, findBinaries } from '../control-plane/binaries';
import { readOpenApi } from '../control-plane/open-api';
import { isRunning } from '../control-plane/server-process';
import { startControlPlane } from '../control-plane/start-control-plane';
import { describeControlPlane } from '../control-plane/suite';

const configMap = (name: string, data: object): { apiVersion: string; kind: string; metadata: { name: string } } =>
  Object.assign({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } }, { data });

describeControlPlane(
  'control plane of the tests',
  (controlPlane) => {
    test('runs Kubernetes v1.36.3', async () => {
      const { status, body } = await controlPlane().client.request('GET', '/version');
      expect(status).toBe(200);
      expect(body).toMatchObject({ gitVersion: 'v1.36.3', major: '1', minor: '36' });
    });

    test('accepts a ConfigMap in a dry run and stores nothing', async () => {
      const { client } = controlPlane();
      const object = configMap('example', { level: 'info' });
      const response = await client.applyDryRun(object);
      expect(response).toMatchObject({ status: 201, body: { data: { level: 'info' } }, warnings: [] });
      expect((await client.get(object)).status).toBe(404);
    });

    test('stores and updates a ConfigMap that is applied', async () => {
      const { client } = controlPlane();
      expect((await client.apply(configMap('kept', { level: 'info' }))).status).toBe(201);
      expect((await client.apply(configMap('kept', { level: 'debug' }))).status).toBe(200);
      expect((await client.get(configMap('kept', {}))).body).toMatchObject({ data: { level: 'debug' } });
      expect((await client.delete(configMap('kept', {}))).status).toBe(200);
    });

    test('rejects an invalid Deployment and names each cause', async () => {
      const response = await controlPlane().client.applyDryRun({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'example', namespace: 'default' },
        spec: {
          replicas: -1,
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'b' } }, spec: { containers: [{ name: 'Bad_Name', image: 'a:1' }] } },
        },
      } as never);
      expect(response.status).toBe(422);
      expect(causesOf(response).map(({ field }) => field)).toEqual(
        expect.arrayContaining([
          'spec.replicas',
          'spec.template.metadata.labels',
          'spec.template.spec.containers[0].name',
        ]),
      );
    });

    test('rejects an unknown field', async () => {
      const { client } = controlPlane();
      const object = { ...configMap('example', {}), dta: {} };
      const applied = await client.applyDryRun(object);
      expect([applied.status, messageOf(applied)]).toEqual([500, expect.stringContaining('.dta: field not declared')]);
      const created = await client.create(object, { dryRun: true });
      expect([created.status, messageOf(created)]).toEqual([400, expect.stringContaining('unknown field "dta"')]);
      const warned = await client.create(object, { dryRun: true, fieldValidation: 'Warn' });
      expect(warned).toMatchObject({ status: 201, warnings: ['unknown field "dta"'] });
    });

    test('creates and deletes a namespace', async () => {
      const { client } = controlPlane();
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'passing' } };
      expect((await client.create(namespace)).status).toBe(201);
      expect((await client.get(namespace)).body).toMatchObject({ status: { phase: 'Active' } });
      await client.deleteNamespace('passing');
      expect((await client.get(namespace)).status).toBe(404);
    });

    test('serves a custom resource and enforces the rules of its definition', async () => {
      const { client } = controlPlane();
      await client.createCrd(gadgetDefinition);
      const gadget = (size: number): { apiVersion: string; kind: string; metadata: { name: string } } =>
        Object.assign({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } }, { spec: { size } });
      expect((await client.applyDryRun(gadget(2))).status).toBe(201);
      const rejected = await client.applyDryRun(gadget(3));
      expect([rejected.status, messageOf(rejected)]).toEqual([422, expect.stringContaining('size must be even')]);
    });

    test('enforces a ValidatingAdmissionPolicy in dry runs as well', async () => {
      const { client } = controlPlane();
      for (const object of namePolicy) expect((await client.apply(object)).status).toBe(201);
      const rejected = await client.waitFor('the policy to take effect', async () => {
        const response = await client.applyDryRun(configMap('forbidden', {}));
        return response.status === 201 ? undefined : response;
      });
      expect([rejected.status, messageOf(rejected)]).toEqual([422, expect.stringContaining('that name is forbidden')]);
    });

    test('authenticates users by token and denies them everything without a binding', async () => {
      const response = await controlPlane().as('jane').request('GET', '/api/v1/namespaces/default/configmaps');
      expect([response.status, messageOf(response)]).toEqual([403, expect.stringContaining('User "jane" cannot list')]);
    });

    test('responds to kubectl', async () => {
      const result = await controlPlane().kubectl(['get', 'namespace', 'default', '--output=name']);
      expect(result).toEqual({ code: 0, stdout: 'namespace/default\n', stderr: '' });
    });

    test('serves its OpenAPI schemas', async () => {
      const documents = await readOpenApi(controlPlane().client, ['api/v1', 'apis/apps/v1']);
      expect(documents['api/v1']?.components?.schemas).toHaveProperty(['io.k8s.api.core.v1.Container']);
      expect(documents['apis/apps/v1']?.components?.schemas).toHaveProperty(['io.k8s.api.apps.v1.Deployment']);
    });

    test('writes an audit log', () => {
      expect(readFileSync(controlPlane().auditLog, 'utf8')).toContain('"requestURI":"/version"');
    });
  },
  { users: [{ name: 'jane', groups: ['developers'] }] },
);

const binaries = findBinaries(controlPlanePrograms);
const whenBuilt = 'paths' in binaries ? test : test.skip;

describe('stopping a control plane', () => {
  whenBuilt('leaves no process or folder behind', async () => {
    if (!('paths' in binaries)) return;
    const controlPlane = await startControlPlane({ paths: binaries.paths });
    expect(controlPlane.pids.map(isRunning)).toEqual([true, true, true]);
    await controlPlane.stop();
    expect(controlPlane.pids.map(isRunning)).toEqual([false, false, false]);
    expect(existsSync(controlPlane.folder)).toBe(false);
  });

  whenBuilt('leaves only the logs of a control plane that failed to start', async () => {
    if (!('paths' in binaries)) return;
    const failure = await startControlPlane({ paths: binaries.paths, apiServerFlags: ['--no-such-flag'] }).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(failure).toContain('unknown flag: --no-such-flag');
    const folder = /logs kept in (.*)\/logs$/m.exec(failure)?.[1] ?? '';
    expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['etcd.log', 'kube-apiserver.log']);
    rmSync(folder, { recursive: true });
  });
});

const gadgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer' } },
                'x-kubernetes-validations': [{ rule: 'self.size % 2 == 0', message: 'size must be even' }],
              },
            },
          },
        },
      },
    ],
  },
};

const namePolicy = [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'names' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
      validations: [{ expression: "object.metadata.name != 'forbidden'", message: 'that name is forbidden' }],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'names' },
    spec: { policyName: 'names', validationActions: ['Deny'] },
  },
];
