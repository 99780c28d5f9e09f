import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Testing, type Chart } from 'cdk8s';
import { loadAll } from 'js-yaml';
import { PlatformApp } from '@pinion-platform/pinion';
import { connected } from '../examples/connected/connected';
import { nightly } from '../examples/nightly/nightly';
import { nodeExporter } from '../examples/node-exporter/node-exporter';
import { onlineBoutique } from '../examples/online-boutique/online-boutique';
import { addExamples } from '../examples/add-examples';
import { jobSets } from '../examples/job-sets/job-sets';
import { shardedBatch } from '../examples/sharded-batch/sharded-batch';
import { training } from '../examples/training/training';
import {
  safeExpand,
  isError,
  resolvePlatform,
  type ManifestInput,
  type KubernetesObject,
  type PlatformManifest,
  type Workload,
} from '@pinion-platform/pinion';
import { nativeKinds, safeParseManifest, isPlatformKind } from '../lib/api';
import { defaultProfile, expandProject } from '../lib/expand';

type Example = (app: App) => Chart;
/** Files of one workload each that native output rejects. */
const needController: ReadonlySet<string> = new Set([
  ...['parameter-server.yaml', 'start-order.yaml', 'success-policy.yaml'],
  ...['failure-policy.yaml', 'exclusive-placement.yaml'],
]);
const examples: readonly (readonly [string, Example, readonly string[]])[] = [
  ['online-boutique', onlineBoutique, ['online-boutique.yaml']],
  ['training', training, ['training.yaml', 'parameter-server.yaml', 'jax.yaml']],
  ['sharded-batch', shardedBatch, ['sharded-batch.yaml']],
  [
    'job-sets',
    jobSets,
    [
      'driver-worker.yaml',
      ...['start-order', 'success-policy', 'failure-policy', 'exclusive-placement'].map((name) => `${name}.yaml`),
    ],
  ],
  ['nightly', nightly, ['nightly.yaml']],
  ['node-exporter', nodeExporter, ['node-exporter.yaml']],
  ['connected', connected, ['connected.yaml']],
];

const byName = (objects: readonly KubernetesObject[]) =>
  Object.fromEntries(
    objects.map((object) => [`${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`, object]),
  );

/** Objects of an example's manifests; a workload that needs the controller stays a custom resource, because native output rejects it. */
function fromYaml(folder: string, files: readonly string[]): KubernetesObject[] {
  const inputs = files.flatMap(
    (file) => loadAll(readFileSync(join(__dirname, '../examples', folder, file), 'utf8')) as ManifestInput[],
  );
  const isNative = ({ kind }: { readonly kind: string }) => kind in nativeKinds;
  const manifests = inputs.map((input) => {
    if (isNative(input)) return input as unknown as KubernetesObject;
    const { manifest: document, problems } = safeParseManifest(input);
    expect(problems.filter(isError)).toEqual([]);
    return document as Workload | PlatformManifest;
  });
  const cluster = resolvePlatform(manifests.filter(({ kind }) => isPlatformKind(kind)) as PlatformManifest[]);
  return manifests.flatMap((document, index): readonly KubernetesObject[] => {
    if (isNative(document)) return [document as KubernetesObject];
    if (document.kind === 'Project') return expandProject(document as PlatformManifest<'Project'>, cluster);
    if (needController.has(files[index] ?? '')) return [inputs[index] as unknown as KubernetesObject];
    return safeExpand(document as Workload, cluster.project(document.metadata.namespace ?? '')).objects ?? [];
  });
}

test.each(examples)('%s: constructs and custom resources become equal objects', (folder, example, files) => {
  const synthesized = Testing.synth(example(new App())) as KubernetesObject[];
  const rendered = fromYaml(folder, files);
  expect(rendered.length).toBeGreaterThan(0);
  expect(byName(synthesized)).toEqual(byName(rendered));
});

test('all examples synthesize alike in the stock App and in PlatformApp, without warnings', () => {
  const folders = [mkdtempSync(join(tmpdir(), 'stock-')), mkdtempSync(join(tmpdir(), 'platform-'))] as const;
  try {
    const stock = new App({ outdir: folders[0] });
    addExamples(stock);
    stock.synth();
    const app = new PlatformApp({ outdir: folders[1] });
    addExamples(app);
    app.synth();
    expect(app.summary?.warnings).toEqual([]);
    const [before, after] = folders.map((folder) =>
      Object.fromEntries(readdirSync(folder).map((file) => [file, loadAll(readFileSync(join(folder, file), 'utf8'))])),
    );
    expect(after).toEqual(before);
    expect(Object.keys(after ?? {})).toHaveLength(8);
  } finally {
    folders.forEach((folder) => rmSync(folder, { recursive: true }));
  }
});

interface PodFields {
  readonly securityContext?: Context;
  readonly containers: readonly {
    readonly name: string;
    readonly ports?: readonly { readonly containerPort: number }[];
    readonly securityContext?: Context;
  }[];
  readonly initContainers?: PodFields['containers'];
}
interface Context {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: { readonly drop?: readonly string[] };
  readonly seccompProfile?: { readonly type: string };
}

/** Every pod spec below a value. */
function podsIn(value: unknown): PodFields[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray((value as Partial<PodFields>).containers)) return [value as PodFields];
  return Object.values(value).flatMap(podsIn);
}

/** What the containers of a pod lack for Pod Security "restricted", apart from its volumes and host fields. */
const lacking = ({ securityContext: pod, containers, initContainers = [] }: PodFields): string[] =>
  [...containers, ...initContainers].flatMap(({ name, securityContext: own }) => {
    const user = own?.runAsUser ?? pod?.runAsUser;
    const held = {
      'a user other than root': user !== undefined && user > 0 && (own?.runAsNonRoot ?? pod?.runAsNonRoot) === true,
      'no escalation': own?.allowPrivilegeEscalation === false,
      'capabilities dropped': own?.capabilities?.drop?.includes('ALL') === true,
      seccomp: (own?.seccompProfile ?? pod?.seccompProfile)?.type === 'RuntimeDefault',
    };
    return Object.entries(held).flatMap(([what, holds]) => (holds ? [] : [`${name}: ${what}`]));
  });

test('pods of all examples except the daemon pass Pod Security "restricted", stock ones included', () => {
  const app = new App();
  addExamples(app);
  const objects = app.charts
    .filter(({ node }) => node.id !== 'node-exporter')
    .flatMap((chart) => Testing.synth(chart) as KubernetesObject[])
    .filter(({ kind }) => kind !== 'PinterestTrainingJob' && kind !== 'PinterestJobSet');
  expect(objects.flatMap(podsIn).length).toBeGreaterThan(15);
  expect(
    objects.flatMap((object) =>
      podsIn(object)
        .flatMap(lacking)
        .map((what) => `${object.metadata.name}: ${what}`),
    ),
  ).toEqual([]);
});

/** Ports of the node that pods with host networking use. */
function nodePortsIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  const { host, template } = value as { host?: { network?: boolean }; template?: unknown };
  if (host?.network === true)
    return podsIn(template).flatMap(({ containers }) =>
      containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort)),
    );
  return Object.values(value).flatMap(nodePortsIn);
}

test('no daemon of the examples uses a host port of the built-in runtime profile', () => {
  const manifests = loadAll(readFileSync(join(__dirname, '../examples/node-exporter/node-exporter.yaml'), 'utf8'));
  const [own, parts] = [nodePortsIn(manifests), nodePortsIn(defaultProfile)];
  expect(own).not.toEqual([]);
  expect(parts).not.toEqual([]);
  expect(parts.filter((port) => own.includes(port))).toEqual([]);
});
