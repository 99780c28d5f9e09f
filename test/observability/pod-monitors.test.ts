import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import {
  expand,
  installManifests,
  observabilityManifests,
  podMonitors,
  resolvePlatform,
  ruleFile,
  submissionManifests,
  type KubernetesObject,
} from '../../lib';
import { parseManifest, type ManifestInput, type PlatformManifest, type Workload } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { alertGroups } from '../../lib/observability';
import { TestAuthority } from '../kube/certificates';
import { platformWithGateway } from '../local/gateway-platform';

const page = readFileSync(join(__dirname, '../../docs/observability.md'), 'utf8');

interface Pod {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
}
interface Container {
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
}

/** The pods of a Deployment, in its own or the given namespace. */
const podsOf = (
  objects: readonly KubernetesObject[],
  namespace?: string,
  ofKind = 'Deployment',
): { namespace: string; pod: Pod }[] =>
  objects
    .filter(({ kind }) => kind === ofKind)
    .map((object) => ({
      namespace: namespace ?? object.metadata.namespace ?? '',
      pod: (object as unknown as { readonly spec: { readonly template: Pod } }).spec.template,
    }));

const daemonPodsOf = (objects: readonly KubernetesObject[]): ReturnType<typeof podsOf> =>
  podsOf(objects, undefined, 'DaemonSet');

/** A Platform with ZooKeeper and the other values that registrars need. */
const registering = {
  ...defaultPlatform,
  spec: {
    ...defaultPlatform.spec,
    runtime: {
      ...defaultPlatform.spec.runtime,
      values: Object.fromEntries(
        defaultProfile.spec.parts.flatMap(({ needsValues = [] }) => needsValues).map((name) => [name, 'x.example.com']),
      ),
      images: {
        traffic: 'registry.example.com/pinion/registrar:1.0.0',
        certificates: 'registry.example.com/own:1.0.0',
      },
    },
  },
};
const cart: ManifestInput<'PinterestService'> = {
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: {
    replicas: 1,
    template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1.0.0' }] } },
  },
};
const workloadPods = (workload: object, platform: object = defaultPlatform): { namespace: string; pod: Pod }[] => {
  const completed = parseManifest(workload as ManifestInput<'PinterestService'>) as Workload;
  const { namespace } = completed.metadata;
  const project = {
    apiVersion: 'pinterest.com/v1',
    kind: 'Project',
    metadata: { name: namespace },
    spec: { team: 'a' },
  };
  const cluster = resolvePlatform(
    [platform, project].map((one) => parseManifest(one as ManifestInput<'Project'>) as PlatformManifest),
  );
  return podsOf(expand(completed, cluster.project(namespace)), namespace);
};
/** A Platform with a gateway, and its image. */
const gatewayInstallation = {
  gatewayImage: 'registry.example.com/pinion/gateway:1.0.0',
  documents: platformWithGateway(new TestAuthority()),
};
const submission = submissionManifests({
  image: 'registry.example.com/pinion/submission:1.0.0',
  settings: { artifactStore: 's3://artifacts', clusters: [{ name: 'prod-1' }], identity: {} },
  exposure: 'Cluster',
}).find(({ kind }) => kind === 'PinterestService');

/** Every component of pinion with its own metrics, by the job name that rules use, with its port. */
const installed: Readonly<Record<string, { readonly namespace: string; readonly pod: Pod; readonly port: number }[]>> =
  {
    'pinion-controller': podsOf(installManifests({ image: 'registry.example.com/pinion/controller:1.0.0' })).map(
      (one) => ({
        ...one,
        port: 8080,
      }),
    ),
    'pinion-submission': workloadPods(submission as object).map((one) => ({ ...one, port: 8081 })),
    'pinion-gateway': podsOf(
      installManifests({ ...gatewayInstallation, image: 'registry.example.com/pinion/controller:1.0.0' }),
    )
      .filter(({ namespace }) => namespace === 'pinion-gateway')
      .map((one) => ({ ...one, port: 8080 })),
    'pinion-clients': daemonPodsOf(
      installManifests({
        image: 'registry.example.com/pinion/controller:1.0.0',
        clientMonitorImage: 'registry.example.com/pinion/client-monitor:1.0.0',
      }),
    ).map((one) => ({ ...one, port: 9443 })),
    'pinion-registrar': workloadPods(cart, registering).map((one) => ({ ...one, port: 19106 })),
  };

const matches = (
  { spec: { namespaceSelector, selector } }: (typeof monitors)[number],
  { namespace, pod: { metadata } }: { readonly namespace: string; readonly pod: Pod },
): boolean => {
  const { labels = {} } = metadata;
  return (
    ('any' in namespaceSelector || namespaceSelector.matchNames.includes(namespace)) &&
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    (selector.matchExpressions ?? []).every(({ key }) => Object.hasOwn(labels, key))
  );
};
const portsIn = ({ spec: { containers, initContainers = [] } }: Pod, name: string): number[] =>
  [...containers, ...initContainers].flatMap(({ ports = [] }) =>
    ports.filter((port) => port.name === name).map(({ containerPort }) => containerPort),
  );
const monitors = podMonitors();
const jobOf = ({ spec }: (typeof monitors)[number]): string => {
  const [{ relabelings }] = spec.podMetricsEndpoints;
  return relabelings.findLast(({ targetLabel }) => targetLabel === 'job')?.replacement ?? '';
};

test('exactly one monitor selects each pod that pinion installs, with its port and the job name that rules use', () => {
  for (const [job, pods] of Object.entries(installed)) {
    expect(pods.length).toBeGreaterThan(0);
    for (const one of pods) {
      const finding = monitors.flatMap((monitor) =>
        matches(monitor, one)
          ? portsIn(one.pod, monitor.spec.podMetricsEndpoints[0].port).map((port) => ({ job: jobOf(monitor), port }))
          : [],
      );
      expect(finding).toEqual([{ job, port: one.port }]);
    }
  }
});

/** The YAML block of a page that contains a string. */
const shown = (text: string): string[] =>
  [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
    .map(([, block = '']) => block)
    .filter((block) => block.includes(text));

test('each pinion job that a rule selects comes from a monitor, or from the documented configuration for control plane nodes', () => {
  const scrapeConfigs = shown('kind: ScrapeConfig').map(
    (text) => load(text) as { spec: { relabelings: { targetLabel?: string; replacement?: string }[] } },
  );
  const made = [
    ...monitors.map(jobOf),
    ...scrapeConfigs
      .flatMap(({ spec }) => spec.relabelings)
      .filter(({ targetLabel }) => targetLabel === 'job')
      .map(({ replacement }) => replacement),
  ];
  const selected = ruleFile().groups.flatMap(({ rules }) =>
    rules.flatMap(({ expr }) => [...expr.matchAll(/job="(pinion-[^"]*)"/g)].map(([, job]) => job)),
  );
  expect(new Set(selected)).toEqual(
    new Set(['pinion-controller', 'pinion-submission', 'pinion-apiserver-memory', 'pinion-clients', 'pinion-gateway']),
  );
  expect(made).toEqual(expect.arrayContaining(selected));
});

test.each(['pinion-controller', 'pinion-submission', 'pinion-gateway', 'pinion-clients'])(
  'no other pod is taken for %s because of a single label',
  (job) => {
    const [one] = installed[job] ?? [];
    if (!one) throw new Error('there is nothing installed');
    expect(monitors.map((monitor) => matches(monitor, { ...one, namespace: 'shop' }) && jobOf(monitor))).not.toContain(
      job,
    );
  },
);

test('a component without rules has no monitor, and without the operator there are no monitors', () => {
  const namesOf = (options: Parameters<typeof observabilityManifests>[0]): string[] =>
    observabilityManifests({ dashboards: false, ...options })
      .filter(({ kind }) => kind === 'PodMonitor')
      .map(({ metadata }) => metadata.name);
  expect(namesOf({})).toEqual([
    'pinion-controller',
    'pinion-submission',
    'pinion-gateway',
    'pinion-clients',
    'pinion-registrar',
  ]);
  expect(namesOf({ without: ['pinion-submission', 'pinion-quota'] })).toEqual([
    'pinion-controller',
    'pinion-gateway',
    'pinion-clients',
    'pinion-registrar',
  ]);
  expect(namesOf({ monitors: false })).toEqual([]);
  expect(namesOf({ rules: 'config-map' })).toEqual([]);
  const groups = alertGroups.map(({ name }) => name);
  expect(groups).toEqual(expect.arrayContaining(['pinion-controller', 'pinion-submission', 'pinion-registrar']));
});

test('the docs name the component for each group of absence alerts that would fire forever without it', () => {
  const absences = alertGroups.flatMap(({ name, alerts }) => {
    const own = alerts
      .filter(({ conditions }) => conditions.some(({ expr }) => expr.startsWith('absent(')))
      .map((alert) => alert.name);
    return own.length > 0 && name.startsWith('pinion-') ? [[name, ...own]] : [];
  });
  const [table = ''] = page.split('<!-- absences:begin -->')[1]?.split('<!-- absences:end -->') ?? [];
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => [...line.matchAll(/`([^` ]+)`/g)].map(([, word]) => word).slice(0, 2));
  expect(rows.sort()).toEqual(absences.sort());
  const optional = absences.map(([name]) => name).filter((name) => name !== 'pinion-controller');
  expect(page).toContain(`pinion rules --without ${optional.sort().join(',')} | kubectl apply`);
});
