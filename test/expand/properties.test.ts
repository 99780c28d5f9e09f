import fc from 'fast-check';
import {
  isError,
  parseManifest,
  safeParseManifest,
  expand,
  resolvePlatform,
  type ManifestInput,
  type KubernetesObject,
  type PlatformManifest,
  type Problem,
  type Workload,
} from '@pinion-platform/pinion';
import {
  checkNative,
  compareQuantities,
  isTypeName,
  parseQuantity,
  type Container,
  type PodTemplateSpec,
} from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { anyWorkload, grantsOfAnyWorkload } from './any-workload';

const project = parseManifest({
  apiVersion: 'pinterest.com/v1',
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop', infrastructure: true, ...grantsOfAnyWorkload },
}) as PlatformManifest;
const context = resolvePlatform([project]).project('shop');
const expanded = (input: ManifestInput): readonly KubernetesObject[] =>
  expand(parseManifest(input) as Workload, context);

/** Checks a property of the objects of any valid workload; fast-check prints the seed of a failure. */
const forAny = (about: string, property: (objects: readonly KubernetesObject[], input: ManifestInput) => void) =>
  test(about, () =>
    fc.assert(
      fc.property(anyWorkload, (input) => property(expanded(input), input)),
      { numRuns: 300 },
    ),
  );

test('every generated workload is valid', () => {
  fc.assert(
    fc.property(anyWorkload, (input) => expect(safeParseManifest(input).problems.filter(isError)).toEqual([])),
    { numRuns: 300 },
  );
});

forAny('equal inputs give equal objects, even if they are parsed again', (objects, input) => {
  expect(JSON.stringify(expanded(structuredClone(input)))).toBe(JSON.stringify(objects));
});

/** An object as the API server returns it: with the keys of every map in alphabetical order. */
function inServerOrder<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inServerOrder) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, inServerOrder(member)])) as T;
}
const storedContext = resolvePlatform([
  project,
  ...[defaultPlatform, defaultProfile].map((document) => parseManifest(inServerOrder(document)) as PlatformManifest),
]).project('shop');

forAny('the order of keys in a map changes nothing', (objects, input) => {
  expect(expand(parseManifest(inServerOrder(input)) as Workload, storedContext)).toEqual(objects);
});

forAny('nothing is undefined, and no two objects of a kind have the same name', (objects) => {
  expect(undefinedPaths(objects, '')).toEqual([]);
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

forAny('names and label values keep their limits', (objects) => {
  for (const { kind, metadata } of objects) {
    expect(metadata.name.length).toBeLessThanOrEqual(kind === 'CronJob' ? 52 : kind === 'ConfigMap' ? 253 : 63);
    for (const value of Object.values(metadata.labels ?? {}))
      expect(value).toMatch(/^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/);
  }
});

forAny(
  'every container of every pod has CPU and memory requests and a memory limit, no request above its limit',
  (objects) => {
    for (const container of objects.flatMap(containersOf)) {
      const { requests, limits } = container.resources ?? {};
      for (const [what, amount] of [
        ['requests.cpu', requests?.['cpu']],
        ['requests.memory', requests?.['memory']],
        ['limits.memory', limits?.['memory']],
      ] as const) {
        expect([container.name, what, typeof amount]).toEqual([container.name, what, 'string']);
      }
      for (const resource of Object.keys(limits ?? {})) {
        const [least, most] = [parseQuantity(requests?.[resource] ?? '0'), parseQuantity(limits?.[resource] ?? '0')];
        expect(least && most && compareQuantities(least, most)).not.toBe(1);
      }
    }
  },
);

forAny('every object is one that Kubernetes knows, field by field', (objects) => {
  const problems: Problem[] = [];
  for (const object of objects)
    if (isTypeName(object.kind)) checkNative(object.kind, object, [], (problem) => problems.push(problem));
  expect(problems).toEqual([]);
});

forAny('pods pass Pod Security "restricted"', (objects) => {
  for (const template of objects.flatMap(templateOf)) {
    expect(template.spec?.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext } of containersOfPod(template))
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
  }
});

forAny('every reference between objects resolves', (objects) => {
  const has = (kind: string, name: unknown) =>
    objects.some((object) => object.kind === kind && object.metadata.name === name);
  for (const template of objects.flatMap(templateOf)) {
    expect(has('ServiceAccount', template.spec?.serviceAccountName)).toBe(true);
    const volumes = new Set(template.spec?.volumes?.map(({ name }) => name));
    for (const { configMap } of template.spec?.volumes ?? [])
      if (configMap && !configMap.optional)
        expect([configMap.name, has('ConfigMap', configMap.name)]).toEqual([configMap.name, true]);
    const claimed = objects.flatMap((object) =>
      object.kind === 'StatefulSet'
        ? ((object['spec'] as { volumeClaimTemplates?: { metadata: { name: string } }[] }).volumeClaimTemplates ?? [])
        : [],
    );
    for (const claim of claimed) volumes.add(claim.metadata.name);
    for (const container of containersOfPod(template)) {
      for (const mount of container.volumeMounts ?? [])
        expect([mount.name, volumes.has(mount.name)]).toEqual([mount.name, true]);
      const variables = (container.env ?? []).map(({ name }) => name);
      expect(new Set(variables).size).toBe(variables.length);
    }
  }
  for (const object of objects) checkReferences(object, objects, has);
});

interface Referring {
  readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
  readonly rules?: readonly {
    readonly http: {
      readonly paths: readonly {
        readonly backend: { readonly service: { readonly name: string; readonly port: { readonly number: number } } };
      }[];
    };
  }[];
  readonly selector?: Readonly<Record<string, string>> & { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly ports?: readonly { readonly port: number }[];
}

function checkReferences(
  object: KubernetesObject,
  objects: readonly KubernetesObject[],
  has: (kind: string, name: unknown) => boolean,
): void {
  const spec = (object['spec'] ?? {}) as Referring;
  if (spec.scaleTargetRef) expect(has(spec.scaleTargetRef.kind, spec.scaleTargetRef.name)).toBe(true);
  if (object.kind === 'Ingress') {
    for (const { backend } of spec.rules?.flatMap(({ http }) => http.paths) ?? []) {
      const service = objects.find(
        ({ kind, metadata }) => kind === 'Service' && metadata.name === backend.service.name,
      );
      expect((service?.['spec'] as Referring | undefined)?.ports?.map(({ port }) => port)).toContain(
        backend.service.port.number,
      );
    }
  }
  const selecting = ['PodDisruptionBudget', 'Deployment', 'StatefulSet', 'DaemonSet'].includes(object.kind);
  const selector = object.kind === 'Service' ? spec.selector : selecting ? spec.selector?.matchLabels : undefined;
  if (!selector) return;
  const selected = objects
    .flatMap(templateOf)
    .filter(({ metadata }) => Object.entries(selector).every(([key, value]) => metadata?.labels?.[key] === value));
  expect([object.kind, selected.length > 0]).toEqual([object.kind, true]);
}

function templateOf(object: KubernetesObject): PodTemplateSpec[] {
  const spec = object['spec'] as
    { template?: PodTemplateSpec; jobTemplate?: { spec: { template: PodTemplateSpec } } } | undefined;
  const template = spec?.jobTemplate?.spec.template ?? spec?.template;
  return template ? [template] : [];
}

const containersOfPod = ({ spec }: PodTemplateSpec): Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
];
const containersOf = (object: KubernetesObject): Container[] => templateOf(object).flatMap(containersOfPod);

function undefinedPaths(value: unknown, path: string): string[] {
  if (value === undefined) return [path];
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => undefinedPaths(member, `${path}.${key}`))
    : [];
}
