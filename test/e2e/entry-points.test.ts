import {
  apiVersion,
  parseManifest,
  type ManifestInput,
  metadataKeys,
  type PlatformManifest,
  type Workload,
} from '../../lib/api';
import { defaultPlatform, expand, type KubernetesObject, resolvePlatform } from '../../lib/expand';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { inParallel } from './cluster-setup';
import { goldenCases, type StoredCase } from './golden-cases';
import { describePinion, type PinionCluster } from './pinion-suite';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the server and controllers add to an object: owners, history and status. */
const addedMetadata = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'ownerReferences',
  'finalizers',
  'selfLink',
]);
const addedAnnotations =
  /^(pv\.kubernetes\.io|volume\.(beta\.)?kubernetes\.io|deployment\.kubernetes\.io|deprecated\.daemonset)\//;
const addedLabels = /(^|\/)(controller-uid|job-name)$/;
const serverSetFields: Readonly<Record<string, readonly string[]>> = {
  Service: ['clusterIP', 'clusterIPs'],
  Job: ['selector', 'suspend', 'ttlSecondsAfterFinished'],
  PersistentVolumeClaim: ['volumeName', 'storageClassName'],
};

/** Returns an object without the fields that differ between creations, and for Jobs without those that their run controls. */
function comparableFields(object: Fields): Fields {
  const { status: _, ...rest } = object;
  const metadata = entries(object['metadata']).filter(([key]) => !addedMetadata.has(key));
  const annotations = entries(Object.fromEntries(metadata)['annotations']).filter(
    ([key]) =>
      key !== metadataKeys.lastAppliedHash &&
      key !== metadataKeys.run &&
      key !== metadataKeys.expansion &&
      !addedAnnotations.test(key),
  );
  const serverSet = serverSetFields[String(object['kind'])] ?? [];
  const spec = entries(object['spec']).filter(([key]) => !serverSet.includes(key));
  return withoutAddedLabels({
    ...rest,
    metadata: { ...Object.fromEntries(metadata), annotations: Object.fromEntries(annotations) },
    ...(object['spec'] !== undefined && { spec: Object.fromEntries(spec) }),
  }) as Fields;
}

const entries = (value: unknown): [string, unknown][] => Object.entries((value ?? {}) as Fields);

function withoutAddedLabels(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddedLabels);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    entries(value)
      .filter(([key]) => !addedLabels.test(key))
      .map(([key, entry]) => [key, withoutAddedLabels(entry)]),
  );
}

const titleOf = ({ kind, metadata }: KubernetesObject | ManifestInput): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** Returns a unique cluster namespace for each namespace of a case, so that all cases can exist at once. */
function caseNamespaces(stored: StoredCase): ReadonlyMap<string, string> {
  const names = [...new Set(stored.inputs.map(({ metadata }) => metadata.namespace ?? ''))];
  return new Map(names.map((name, index) => [name, index === 0 ? stored.name : `${stored.name}-${index}`]));
}

/** Returns the same manifest in a namespace of the case. */
const inNamespace = (namespace: string, input: ManifestInput): ManifestInput =>
  ({ ...input, metadata: { ...input.metadata, namespace } }) as ManifestInput;

/** Returns the objects that native synth would store, with server defaults, before any of them exists. */
async function nativeObjects(
  pinion: PinionCluster,
  objects: readonly KubernetesObject[],
): Promise<Map<string, Fields>> {
  const stored = new Map<string, Fields>();
  await inParallel(objects, async (object) => {
    const response = expectStatus(await pinion.cluster.client.applyDryRun(object as SendableObject), [200, 201]);
    stored.set(titleOf(object), comparableFields(response.body as Fields));
  });
  return stored;
}

/** Returns the same objects as created by the controller. */
async function controllerObjects(
  pinion: PinionCluster,
  objects: readonly KubernetesObject[],
): Promise<Map<string, Fields>> {
  const stored = new Map<string, Fields>();
  await inParallel(objects, async (object) => {
    const live = await pinion.cluster.client.waitFor(
      titleOf(object),
      async () => {
        const response = await pinion.cluster.client.get(object as SendableObject);
        return response.status === 200 ? (response.body as Fields) : undefined;
      },
      { timeout: 60_000 },
    );
    stored.set(titleOf(object), comparableFields(live));
  });
  return stored;
}

/** Whether each case with a Platform of its own is tried; putting one in force takes most of the time. */
const isFull = process.env['PINION_E2E'] === 'full';

const accepted = goldenCases.filter(({ golden }) => golden.needsController !== true);
/** Returns the hosts, roles and tiers that workloads use. */
const namesOf = (inputs: readonly ManifestInput[]) => ({
  hosts: inputs.flatMap(({ spec }) => ('loadBalancer' in spec ? (spec.loadBalancer?.hosts ?? []) : [])),
  iamRoles: inputs.flatMap(({ spec }) => ('iamRole' in spec ? (spec.iamRole ?? []) : [])),
  tiers: [...new Set(inputs.flatMap(({ spec }) => ('tier' in spec ? (spec.tier ?? []) : [])))],
});
const projectOf = (
  name: string,
  infrastructure: boolean,
  names: ReturnType<typeof namesOf>,
): ManifestInput<'Project'> => ({
  apiVersion,
  kind: 'Project',
  metadata: { name },
  spec: {
    team: 'paths',
    podSecurity: 'privileged',
    ...names,
    quota: {
      pods: '5k',
      'requests.cpu': '100k',
      'requests.memory': '1Pi',
      'limits.memory': '1Pi',
      'requests.storage': '1Pi',
    },
    ...(infrastructure && {
      infrastructure,
      host: { network: true, pid: true, ipc: true, privileged: true, paths: ['/'] },
    }),
  },
});

/** Case with its own Projects and profiles, because profiles are immutable. */
interface IsolatedCase {
  readonly name: string;
  readonly inputs: readonly ManifestInput[];
  /** Profiles come first: the Platform references one. */
  readonly platformInputs: readonly ManifestInput[];
  /** Objects of native synth. */
  readonly objects: readonly KubernetesObject[];
}

/** Returns a case in namespaces of its own, with profiles named after the case itself or the first one that shares them. */
function isolateCase(stored: StoredCase, owner = stored.name): IsolatedCase {
  const namespaces = caseNamespaces(stored);
  const documents = stored.platformInputs.map((document) => isolateManifest(document, stored, namespaces, owner));
  const known = new Set(documents.filter(({ kind }) => kind === 'Project').map(({ metadata }) => metadata.name));
  const infrastructure = stored.inputs.some(({ kind }) => kind === 'PinterestDaemon');
  const projects = [...namespaces]
    .filter(([, name]) => !known.has(name))
    .map(([own, name]) =>
      projectOf(name, infrastructure, namesOf(stored.inputs.filter(({ metadata }) => metadata.namespace === own))),
    );
  const platform = documents.some(({ kind }) => kind === 'Platform') ? [] : [defaultPlatform];
  const isProfile = ({ kind }: ManifestInput) => kind === 'RuntimeProfile';
  const platformInputs = [
    ...documents.filter(isProfile),
    ...platform,
    ...documents.filter((document) => !isProfile(document)),
    ...projects,
  ];
  const inputs = stored.inputs.map((input) => inNamespace(namespaces.get(input.metadata.namespace ?? '') ?? '', input));
  const cluster = resolvePlatform(platformInputs.map((input) => parseManifest(input)) as readonly PlatformManifest[]);
  const workloads = inputs.map((input) => parseManifest(input)) as readonly Workload[];
  const objects = workloads.flatMap((workload) => expand(workload, cluster.project(workload.metadata.namespace)));
  return { name: stored.name, inputs, platformInputs, objects };
}

function isolateManifest(
  document: ManifestInput,
  stored: StoredCase,
  namespaces: ReadonlyMap<string, string>,
  owner: string,
): ManifestInput {
  const { metadata } = document;
  const isolated = (name: string) => `${owner}-${name}`;
  if (document.kind === 'Project')
    return { ...document, metadata: { ...metadata, name: namespaces.get(metadata.name) ?? metadata.name } };
  if (document.kind === 'RuntimeProfile')
    return { ...document, metadata: { ...metadata, name: isolated(metadata.name) } };
  const { spec } = document as ManifestInput<'Platform'>;
  const profile = spec.runtime?.profile;
  const isKnown = stored.platformInputs.some(
    (other) => other.kind === 'RuntimeProfile' && other.metadata.name === profile,
  );
  const directProjects = spec.gateway?.directProjects?.map((name) => namespaces.get(name) ?? name);
  return {
    ...document,
    spec: {
      ...spec,
      ...(profile !== undefined && isKnown && { runtime: { ...spec.runtime, profile: isolated(profile) } }),
      ...(directProjects && { gateway: { ...spec.gateway, directProjects } }),
    },
  } as ManifestInput;
}

const isProject = ({ kind }: ManifestInput): boolean => kind === 'Project';

/** Groups cases by their Platform and profiles, each of which takes the controller and the API server seconds to put in force. */
function groupsByPlatform(cases: readonly StoredCase[]): readonly (readonly IsolatedCase[])[] {
  const groups = new Map<string, StoredCase[]>();
  for (const stored of cases) {
    const platform = isolateCase(stored, 'shared').platformInputs.filter((document) => !isProject(document));
    const key = JSON.stringify(platform);
    groups.set(key, [...(groups.get(key) ?? []), stored]);
  }
  return [...groups.values()].map((group) => group.map((stored) => isolateCase(stored, group[0]?.name)));
}

async function applyPlatform(pinion: PinionCluster, documents: readonly ManifestInput[]): Promise<void> {
  for (const document of documents) await pinion.apply(document);
  for (const { kind, metadata } of documents)
    if (kind === 'Project' || kind === 'Platform') await pinion.ready(kind, '', metadata.name, 120_000);
}

/** Creates the Projects of a case, then returns the objects that native synth would store and those that the controller creates. */
async function applyBothWays(pinion: PinionCluster, isolated: IsolatedCase) {
  await applyPlatform(pinion, isolated.platformInputs.filter(isProject));
  const native = await nativeObjects(pinion, isolated.objects);
  // Policies see a changed Platform with a delay.
  for (const input of isolated.inputs)
    await pinion.cluster.client.waitFor(titleOf(input), () => pinion.apply(input).catch(() => undefined), {
      timeout: 60_000,
    });
  return {
    native: Object.fromEntries(native),
    live: Object.fromEntries(await controllerObjects(pinion, isolated.objects)),
  };
}

describePinion('objects of the controller equal those of native synth', (pinion) => {
  const builtInPlatformCases = accepted.filter(({ platformInputs }) => platformInputs.length === 0);
  const ownPlatformCases = accepted.filter(({ platformInputs }) => platformInputs.length > 0);
  const groups = groupsByPlatform(ownPlatformCases).filter(({ length }) => isFull || length > 1);
  let results: ReadonlyMap<string, Awaited<ReturnType<typeof applyBothWays>>>;

  const applyCases = async (cases: readonly IsolatedCase[]) => {
    const applied = await inParallel(
      cases,
      async (isolated) => [isolated.name, await applyBothWays(pinion(), isolated)] as const,
    );
    results = new Map(applied);
  };
  const expectEqual = (name: string) => {
    expect(Object.keys(results.get(name)?.native ?? {}).length).toBeGreaterThan(0);
    expect(results.get(name)?.live).toEqual(results.get(name)?.native);
  };

  describe('on the built-in Platform', () => {
    beforeAll(() => applyCases(builtInPlatformCases.map((stored) => isolateCase(stored))), 300_000);
    test.each(builtInPlatformCases.map(({ name }) => name))('%s', expectEqual);
  });

  describe.each(groups.map((group) => [group[0]?.name ?? '', group] as const))('on the Platform of %s', (_, group) => {
    beforeAll(async () => {
      const [first] = group;
      await applyPlatform(pinion(), first?.platformInputs.filter((document) => !isProject(document)) ?? []);
      await applyCases(group);
    }, 300_000);
    afterAll(async () => {
      for (const input of group.flatMap(({ inputs }) => inputs))
        await pinion().cluster.client.delete(input as SendableObject);
    });
    test.each(group.map(({ name }) => name))('%s', expectEqual);
  });
});
