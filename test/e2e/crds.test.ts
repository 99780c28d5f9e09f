import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import {
  parseManifest,
  safeParseManifest,
  formatPath,
  type ManifestInput,
  isError,
  type PinionKind,
  pinionKinds,
  apiVersion,
  crdOf,
  workloadKinds,
  type WorkloadKind,
} from '../../lib/api';
import { schemaOf } from '../../lib/api/schemas';
import { defaultPlatform } from '../../lib/expand/platform/default-platform';
import { defaultProfile } from '../../lib/expand/profile/default-profile';
import { type Shape, shapeOf } from '../../lib/api/schema/field-tree';
import { type ApiResponse, causesOf, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { minimalSpec } from '../api/minimal-spec';
import { type ProblemCase } from '../problems/problem-case';

const kinds = Object.keys(pinionKinds) as PinionKind[];
const testFolder = join(__dirname, '..');
const subfolders = (path: string): string[] =>
  readdirSync(join(testFolder, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

const inputs: [string, ManifestInput][] = subfolders('golden').flatMap((name) =>
  (loadAll(readFileSync(join(testFolder, 'golden', name, 'input.yaml'), 'utf8')) as ManifestInput[]).map(
    (input, index): [string, ManifestInput] => [`${name} ${index + 1}`, input],
  ),
);

const problems = readdirSync(join(testFolder, 'problems'))
  .filter((name) => name.endsWith('.cases.ts'))
  .flatMap((name) => jest.requireActual<{ cases: readonly ProblemCase[] }>(join(testFolder, 'problems', name)).cases)
  .map(({ title, input }): [string, ManifestInput] => [title, input as ManifestInput]);

describeControlPlane('CustomResourceDefinitions', (controlPlane) => {
  const dryRun = async (input: ManifestInput): Promise<ApiResponse> => {
    const { client } = controlPlane();
    if (input.metadata.namespace) await client.ensureNamespace(input.metadata.namespace);
    return client.create(input as SendableObject, { dryRun: true });
  };

  test.each(kinds)('the API server admits %s: structural schema within the size and CEL cost limits', async (kind) => {
    const { client } = controlPlane();
    const response = await client.apply(crdOf(kind) as SendableObject);
    expect([response.status, causesOf(response), response.warnings]).toEqual([201, [], []]);
    await client.createCrd(crdOf(kind) as SendableObject);
  });

  test.each(inputs)('the API server accepts golden case %s with the defaults of parseManifest', async (_, input) => {
    const response = await dryRun(input);
    expect([response.status, messageOf(response)]).toEqual([201, expect.anything()]);
    expect(parseManifest(response.body as ManifestInput).spec).toEqual(parseManifest(input).spec);
  });

  test.each(problems)(
    'the server reports no problem of "%s" that parseManifest misses, and every violation of its rules',
    async (_, input) => {
      const response = await dryRun(input);
      const problemsFound = safeParseManifest(input).problems.filter(isError);
      const serverField = causesOf(response)[0]?.field ?? unknownField(response);
      if (response.status === 201) {
        const shared = sharedRules(input.kind);
        expect(problemsFound.filter(({ rule }) => rule !== undefined && shared.has(rule))).toEqual([]);
      } else
        expect(problemsFound.map(({ path }) => formatPath(path))).toContainEqual(
          expect.stringContaining(serverField ?? '(no cause)'),
        );
    },
  );

  test.each(Object.keys(workloadKinds) as WorkloadKind[])(
    'accepts the creation time of null that kubectl writes into a template of a %s',
    async (kind) => {
      const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
      const template = (unset: object) => ({
        metadata: unset,
        spec: {
          containers: [{ name: 'app', image: 'example.com/app:1' }],
          volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { metadata: unset, ...claim } } }],
        },
      });
      const input = (unset: object) =>
        ({
          apiVersion,
          kind,
          metadata: { name: 'cart', namespace: 'shop' },
          spec: minimalSpec(kind, template(unset)),
        }) as ManifestInput;
      const response = await dryRun(input({ creationTimestamp: null }));
      expect([response.status, messageOf(response)]).toEqual([201, expect.anything()]);
      expect(parseManifest(response.body as ManifestInput).spec).toEqual(parseManifest(input({})).spec);
      expect((await dryRun(input({ creationTimestamp: '2026-01-01T00:00:00Z' }))).status).toBe(422);
    },
  );

  test('says which rule two stages with one cluster violate, and what to do', async () => {
    const members = [{ name: 'developers', role: 'deploy' }];
    const stages = [
      { name: 'staging', clusters: ['prod-1'] },
      { name: 'production', clusters: ['prod-1'], deployers: ['developers'] },
    ];
    const spec = { team: 'commerce', costCenter: 'cc-1234', onCall: '#commerce', members, stages };
    const response = await dryRun({ apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec } as ManifestInput);
    expect(response.status).toBe(422);
    expect(causesOf(response).map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/no other stage may list it; use a cluster of its own/),
    );
  });

  test('rejects a Platform whose name is not cluster', async () => {
    const spec = { ...defaultPlatform.spec, cluster: 'main' };
    const response = await dryRun({ apiVersion, kind: 'Platform', metadata: { name: 'other' }, spec });
    expect([response.status, causesOf(response)[0]?.field]).toEqual([422, 'metadata.name']);
  });

  test('accepts a RuntimeProfile and rejects changes to it', async () => {
    const { client } = controlPlane();
    const { spec } = defaultProfile;
    const profile = { apiVersion, kind: 'RuntimeProfile', metadata: { name: 'kept' } };
    expect(await client.create({ ...profile, spec } as SendableObject)).toMatchObject({ status: 201 });
    const changed = { ...profile, spec: { ...spec, summary: 'Something else.' } };
    const response = await client.apply(changed);
    expect([response.status, causesOf(response)[0]?.field]).toEqual([422, 'spec']);
    expect(await client.apply({ ...profile, spec } as SendableObject)).toMatchObject({ status: 200 });
  });

  test('scales a service through its scale subresource', async () => {
    const { client } = controlPlane();
    const [, service] = inputs.find(([name]) => name.startsWith('service-ten-lines')) as [string, ManifestInput];
    await client.ensureNamespace(service.metadata.namespace as string);
    expect(await client.create(service as SendableObject)).toMatchObject({ status: 201 });
    const path = `/apis/${apiVersion}/namespaces/${service.metadata.namespace}/pinterestservices/${service.metadata.name}/scale`;
    const scaled = await client.request(
      'PATCH',
      path,
      { spec: { replicas: 5 } },
      { contentType: 'application/merge-patch+json' },
    );
    expect(scaled).toMatchObject({ status: 200, body: { spec: { replicas: 5 } } });
    expect((await client.get(service as SendableObject)).body).toMatchObject({ spec: { replicas: 5 } });
  });
});

/** Field that a strict server reports as unknown. */
const unknownField = (response: ApiResponse): string | undefined =>
  /unknown field "([^"]+)"/.exec(messageOf(response))?.[1];

/** Names of the pinion rules that the server evaluates too. */
function sharedRules(kind: PinionKind): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (shape: Shape): void => {
    if (shape.kind === 'list') walk(shape.items);
    else if (shape.kind === 'map') walk(shape.values);
    else if (shape.kind === 'object') {
      for (const { name, where } of shape.rules) if (where !== 'client') names.add(name);
      for (const field of shape.fields) walk(field.shape);
    }
  };
  walk(shapeOf(schemaOf(kind)));
  return names;
}
