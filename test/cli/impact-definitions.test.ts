import { crdOf, pinionKinds, type PinionKind } from '../../lib/api';
import { type ImpactReport } from '../../lib/cli/commands/impact/impact-report';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { type ClusterSnapshot } from '../../lib/impact';
import { kubeconfigOption, listBody, liveMetadata, LiveCluster, type Body } from './live-cluster';
import { environment } from './publish-fixture';
import { pinion, service, testFolder, writeFiles } from './terminal';

const cluster = new LiveCluster();
beforeEach(() => cluster.start());
afterEach(() => cluster.server.close());

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly names: { shortNames?: readonly string[] };
    readonly versions: readonly {
      readonly schema: {
        readonly openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } };
      };
    }[];
  };
}
const definitionOf = (kind: PinionKind): Definition => JSON.parse(JSON.stringify(crdOf(kind))) as Definition;
/** Returns the definition of Projects with a field and a short name that this version does not have. */
function formerProjects(shortNames = ['former']): Definition {
  const definition = definitionOf('Project');
  definition.spec.names.shortNames = [...(definition.spec.names.shortNames ?? []), ...shortNames];
  for (const { schema } of definition.spec.versions)
    schema.openAPIV3Schema.properties.spec.properties['legacy'] = { type: 'string' };
  return definition;
}
const definitionPath = (name: string): string => `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
const base = '/apis/pinterest.com/v1';
const store = (path: string, kind: string, name: string, spec: object): void =>
  void cluster.stored.set(
    `${base}/${path}`,
    listBody([{ apiVersion: 'pinterest.com/v1', kind, metadata: { ...liveMetadata(name), generation: 1 }, spec }]),
  );

/** Stores a cluster with a Project, and the definitions of an earlier version. */
function storeCluster(shortNames: readonly string[] = ['former']): void {
  store('platforms', 'Platform', 'cluster', defaultPlatform.spec);
  store('runtimeprofiles', 'RuntimeProfile', defaultProfile.metadata.name, defaultProfile.spec);
  store('projects', 'Project', 'shop', { team: 'retail' });
  for (const kind of Object.keys(pinionKinds) as PinionKind[]) {
    const definition = kind === 'Project' ? formerProjects([...shortNames]) : definitionOf(kind);
    cluster.stored.set(definitionPath(definition.metadata.name), definition as unknown as Body);
  }
}

const run = (...argv: string[]) => pinion(['impact', ...argv], '', environment({ HOME: testFolder() }));
const live = (...argv: string[]) => run('report', '--live', ...kubeconfigOption(), ...argv);
const definitionsOf = (out: string) => (JSON.parse(out) as ImpactReport).clusters[0]?.definitions;

test('the definitions of this version are judged with the objects of the cluster, in every format', async () => {
  storeCluster();
  const { code, out } = await live();
  expect([code, out]).toEqual([
    11,
    expect.stringContaining('definitions: cluster of the current context (old) → this version of pinion (new)\n'),
  ]);
  expect(out).toMatch(/^ {4}breaks-clients: spec\.names\.shortNames: .*former/m);
  expect(out).toMatch(
    /^ {2}\d+ definitions, 1 object tried, 1 breaks-clients, 1 changes-meaning; verdict: breaks clients$/m,
  );
  expect(definitionsOf((await live('-o', 'json')).out)).toMatchObject({
    verdict: 'breaks-clients',
    objects: 1,
    findings: [{ definition: 'projects.pinterest.com', class: 'breaks-clients' }, { path: 'spec.legacy' }],
  });
  expect((await live('-o', 'markdown')).out).toMatch(/^### Definitions: .*\n(.*\n)*\| breaks clients \| /m);
});

test('a removed field that no object of the cluster has does not break it', async () => {
  storeCluster([]);
  const { code, out } = await live('-o', 'json');
  expect([code, definitionsOf(out)?.verdict]).toEqual([0, 'changes-meaning']);
});

test('definitions among the inputs are compared with those of the cluster of the same names', async () => {
  storeCluster();
  writeFiles({ 'crds/platforms.json': JSON.stringify(definitionOf('Platform')) });
  const same = await live('crds', '-o', 'json');
  expect([same.code, definitionsOf(same.out)]).toMatchObject([0, { verdict: 'safe', definitions: 1 }]);
  writeFiles({ 'crds/projects.json': JSON.stringify(definitionOf('Project')) });
  expect((await live('crds')).code).toBe(11);
});

test('a snapshot has the definitions; one without them, and a cluster that does not show them, are unknown', async () => {
  storeCluster();
  const { code, out } = await run('snapshot', '--context', 'c', ...kubeconfigOption());
  expect(code).toBe(0);
  writeFiles({ 'c.json': out });
  expect((await run('report', '--snapshot', 'c.json')).code).toBe(11);
  const { definitions, ...former } = JSON.parse(out) as ClusterSnapshot;
  expect(definitions).toHaveLength(Object.keys(pinionKinds).length);
  writeFiles({ 'former.json': JSON.stringify(former) });
  expect(await run('report', '--snapshot', 'former.json')).toMatchObject({
    code: 12,
    out: expect.stringContaining('unknown: the snapshot has no definitions; write it again') as string,
  });
  cluster.forbidden.add(definitionPath('projects.pinterest.com'));
  expect(await live()).toMatchObject({
    code: 12,
    out: expect.stringContaining('unknown: CustomResourceDefinition: reading is not permitted\n') as string,
  });
});

test('files are compared without objects; a removal can be acknowledged', async () => {
  const side = (folder: string, definition: Definition): Record<string, string> => ({
    [`${folder}/platform.json`]: JSON.stringify(defaultPlatform),
    [`${folder}/service.yaml`]: service('cart'),
    [`${folder}/projects.json`]: JSON.stringify(definition),
  });
  writeFiles({ ...side('a', formerProjects([])), ...side('b', definitionOf('Project')) });
  const changed = await run('report', 'a', 'b', '-o', 'json');
  expect(changed.code).toBe(11);
  expect(definitionsOf(changed.out)).toMatchObject({ title: 'a (old) → b (new)', verdict: 'breaks-objects' });
  const allowed = await run('report', 'a', 'b', '--allow-pruning', 'spec.legacy');
  expect([allowed.code, allowed.out]).toEqual([0, expect.stringContaining('1 acknowledged; verdict: safe')]);
  expect(await run('report', 'a', 'b', '--allow-pruning', 'spec.other')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--allow-pruning spec.other: no definition removes this field') as string,
  });
  const same = await run('report', 'b', 'b', '-o', 'json');
  expect([same.code, definitionsOf(same.out)]).toMatchObject([0, { verdict: 'safe', definitions: 1 }]);
});
