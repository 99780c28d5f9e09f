import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  apiVersion,
  parseManifest,
  safeParseManifest,
  type Container,
  type ManifestInput,
  type PlatformManifest,
  type Problem,
  type Workload,
} from '../../../lib/api';
import { defaultPlatform, defaultProfile, safeExpand, expand, resolvePlatform } from '../../../lib/expand';
import { inRequiredOrder } from '../../../lib/expand/profile/part-order';
import { nodeSupport } from '../../../lib/expand/platform/expand-platform';

const { parts } = parseManifest(defaultProfile).spec;
type Part = (typeof parts)[number];

const containersOf = (part: Part) => [...(part.pod?.initContainers ?? []), ...(part.pod?.sidecars ?? [])];
const injected = parts.flatMap((part) =>
  containersOf(part).map((container) => [container.name, container, part] as const),
);
const daemons = parts.flatMap((part) => (part.node ? [[part.name, daemonOf(part), part] as const] : []));
const nodeContainers = daemons.flatMap(([name, { template }]) =>
  template.spec.containers.map((container) => [`${name}/${container.name}`, container] as const),
);
const everyContainer = [...injected, ...nodeContainers].map(([name, container]) => [name, container] as const);

function daemonOf(part: Part) {
  const metadata = { name: part.name, namespace: 'pinion-system' };
  return parseManifest({
    apiVersion,
    kind: 'PinterestDaemon',
    metadata,
    spec: part.node?.daemon,
  } as unknown as ManifestInput<'PinterestDaemon'>).spec;
}

/** A Platform with all values and images that parts need. */
function generousPlatform() {
  const values = Object.fromEntries(parts.flatMap((part) => part.needsValues).map((value) => [value, 'x.example.com']));
  const images = Object.fromEntries(
    parts.filter((part) => part.needsImage).map((part) => [part.name, 'registry.example.com/own:1.0.0']),
  );
  const spec = { ...defaultPlatform.spec, runtime: { ...defaultPlatform.spec.runtime, values, images } };
  return parseManifest({ ...defaultPlatform, spec }) as PlatformManifest<'Platform'>;
}

/** The injected containers of a plain service. */
function injectedInto(
  spec: Partial<ManifestInput<'PinterestService'>['spec']>,
  documents: readonly PlatformManifest[] = [],
) {
  const workload = parseManifest<'PinterestService'>({
    apiVersion,
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: {
      replicas: 2,
      template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1.4.2' }] } },
      ...spec,
    },
  });
  const objects = expand(workload, resolvePlatform(documents).project('shop'));
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as unknown as {
    spec: { template: { spec: { initContainers: Container[]; containers: Container[] } } };
  };
  const { initContainers, containers } = deployment.spec.template.spec;
  return {
    app: containers[0],
    initContainers: initContainers.filter(({ restartPolicy }) => restartPolicy === undefined),
    sidecars: initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always'),
  };
}

const names = (containers: readonly { name: string }[]) => containers.map(({ name }) => name);

describe('the shipped manifests', () => {
  test('are valid and refer to each other', () => {
    expect(safeParseManifest(defaultPlatform).problems).toEqual([]);
    expect(safeParseManifest(defaultProfile).problems).toEqual([]);
    expect(defaultPlatform.spec.runtime?.profile).toBe(defaultProfile.metadata.name);
  });

  test('require only existing parts, and start requirements first', () => {
    const problems: Problem[] = [];
    const order = inRequiredOrder(parts, (problem) => problems.push(problem)).map(({ name }) => name);
    expect(problems).toEqual([]);
    for (const part of parts) {
      for (const name of [...part.requires, ...part.after])
        expect(order.indexOf(name)).toBeLessThan(order.indexOf(part.name));
    }
  });

  test.each(parts.map((part) => [part.name, part] as const))('document where %s runs, and why', (_name, part) => {
    expect(part.summary).toMatch(/^(Pod|Node|Machine): .+ lives (in|on) the (pod|node|machine) (because|so that)/s);
    expect(part.summary.startsWith('Pod')).toBe(part.pod !== undefined);
    expect(part.summary.startsWith('Node')).toBe(part.node !== undefined);
    expect(part.summary.startsWith('Machine')).toBe(part.machine !== undefined);
  });

  test('run every node-level part as a daemon that its project allows', () => {
    const platform = generousPlatform();
    const [project, ...support] = nodeSupport(resolvePlatform([platform]));
    const context = resolvePlatform([platform, parseManifest(project as ManifestInput<'Project'>)]).project(
      'pinion-system',
    );
    expect(names(support.map(({ metadata }) => metadata))).toEqual(names(parts.filter(({ node }) => node)));
    for (const daemon of support) {
      const workload = parseManifest(daemon as ManifestInput<'PinterestDaemon'>) as Workload;
      expect(safeExpand(workload, context)).toMatchObject({ problems: [] });
    }
  });
});

describe('every container that the profile adds', () => {
  test.each(everyContainer)('%s requests CPU and memory and has a memory limit', (_name, { resources }) => {
    expect(resources?.requests).toEqual({ cpu: expect.any(String) as unknown, memory: expect.any(String) as unknown });
    expect(resources?.limits).toEqual({ memory: expect.any(String) as unknown });
  });

  test.each(everyContainer)('%s has an image with a registry and an exact version', (_name, { image }) => {
    expect(image).toMatch(/^[a-z0-9.-]+\.[a-z]+\/[a-z0-9._/-]+:v?[0-9]+\.[0-9]+\.[0-9]+(-distroless)?$/);
  });

  test.each(injected)('%s passes Pod Security "restricted" with a read-only root', (_name, { securityContext }) => {
    expect(securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(securityContext?.runAsUser).toBeGreaterThan(0);
  });

  test.each(nodeContainers)('%s drops all capabilities that it does not name', (_name, { securityContext }) => {
    expect(securityContext?.capabilities?.drop).toEqual(['ALL']);
  });

  test('has volumes with a reserved name that no other has', () => {
    const all = [
      ...names(injected.map(([, container]) => container)),
      ...parts.flatMap(({ pod }) => names(pod?.volumes ?? [])),
    ];
    for (const name of all) expect(name).toMatch(/^pinion-[a-z-]+$/);
    for (const list of [injected.map(([name]) => name), parts.flatMap(({ pod }) => names(pod?.volumes ?? []))])
      expect(new Set(list).size).toBe(list.length);
  });

  test.each(injected)('%s mounts only volumes of its own part or of a required one', (_name, container, part) => {
    const reach = (name: string): string[] => [
      name,
      ...(parts.find((one) => one.name === name)?.requires ?? []).flatMap(reach),
    ];
    const volumes = reach(part.name).flatMap((name) =>
      names(parts.find((one) => one.name === name)?.pod?.volumes ?? []),
    );
    expect(volumes).toEqual(expect.arrayContaining(names(container.volumeMounts ?? [])));
  });

  test('listens on ports that neither apps nor other parts use', () => {
    const ports = injected.flatMap(([, { ports: own }]) => (own ?? []).map(({ containerPort }) => containerPort));
    expect(new Set(ports).size).toBe(ports.length);
    for (const port of ports) expect(Math.floor(port / 1000)).toBe(19);
  });
});

describe('variables', () => {
  const mentioned = (text: string) => [...text.matchAll(/\$[({]([A-Z][A-Z_]*)[)}]/g)].map(([, name]) => name);

  test.each(injected)('in arguments of %s are always set', (_name, container, part) => {
    const settings = Object.values(part.settings).flatMap(({ env, default: value }) =>
      env && value !== undefined ? [env] : [],
    );
    const values = Object.entries(part.valueEnv).flatMap(([env, value]) =>
      part.needsValues.includes(value) ? [env] : [],
    );
    const known = [...settings, ...values, ...names(container.env ?? [])];
    expect(known).toEqual(
      expect.arrayContaining(mentioned([...(container.command ?? []), ...(container.args ?? [])].join(' '))),
    );
  });

  test('describe the app, its resources and its observability settings', () => {
    const variables = (defaultProfile.spec.env ?? []).map(({ name }) => name.replace(/^PINION_/, ''));
    expect(variables).toEqual(
      expect.arrayContaining(['PROJECT', 'WORKLOAD', 'CLUSTER', 'NODE', 'POD', 'POD_ADDRESS', 'VERSION']),
    );
    expect(variables).toEqual(expect.arrayContaining(['CPU_REQUEST', 'CPU_LIMIT', 'MEMORY_REQUEST', 'MEMORY_LIMIT']));
    expect(variables).toEqual(expect.arrayContaining(['OWNER', 'CREATOR', 'EXPIRY']));
    expect(new Set(variables).size).toBe(variables.length);
  });
});

describe('a plain service', () => {
  test('on the default Platform has all parts without required values', () => {
    const { initContainers, sidecars } = injectedInto({});
    expect(names(initContainers)).toEqual(['pinion-network', 'pinion-configuration-init']);
    expect(names(sidecars)).toEqual(['pinion-configuration', 'pinion-logs', 'pinion-metrics']);
  });

  test('on the default Platform lacks parts that need an address or an image', () => {
    expect([...resolvePlatform([]).runtime.unavailable.keys()].sort()).toEqual([
      'certificates',
      'identity-agent',
      'identity-socket',
      'mutual-tls',
      'node-logs',
      'node-names',
      'repository',
      'secrets',
      'traffic',
    ]);
  });

  test('on a Platform with every value and image has the required parts, and others on request', () => {
    const platform = generousPlatform();
    expect([...resolvePlatform([platform]).runtime.unavailable.keys()]).toEqual([]);
    const plain = names(injectedInto({}, [platform]).sidecars);
    expect(plain).toEqual(expect.arrayContaining(['pinion-certificates', 'pinion-repository', 'pinion-traffic']));
    expect(plain).not.toContain('pinion-mutual-tls');
    const asked = { 'mutual-tls': { enabled: true }, secrets: { enabled: true }, metrics: { enabled: false } };
    const chosen = names(injectedInto({ sidecars: asked }, [platform]).sidecars);
    expect(chosen).toEqual(expect.arrayContaining(['pinion-mutual-tls', 'pinion-secrets']));
    expect(chosen).not.toContain('pinion-metrics');
  });

  test('sets the level of the logs part through its variable', () => {
    const { sidecars } = injectedInto({ sidecars: { logs: { config: { level: 'info' } } } });
    const logs = sidecars.find(({ name }) => name === 'pinion-logs');
    expect(logs?.env).toContainEqual({ name: 'LOG_LEVEL', value: 'info' });
  });
});

describe('docs/runtime-profile.md', () => {
  const lines = readFileSync(join(__dirname, '../../../docs/runtime-profile.md'), 'utf8').split('\n');

  test.each(parts.map((part) => [part.name, part] as const))(
    'has a row for %s with its images, ports and settings',
    (name, part) => {
      const row = lines.find((line) => line.startsWith(`| \`${name}\``)) ?? '';
      const containers = [...containersOf(part), ...(part.node ? daemonOf(part).template.spec.containers : [])];
      if (!part.needsImage) for (const { image } of containers) expect(row).toContain(`\`${image ?? ''}\``);
      for (const { ports } of containersOf(part))
        for (const port of ports ?? []) expect(row).toContain(String(port.containerPort));
      for (const fact of [...Object.keys(part.settings), ...part.needsValues, ...Object.values(part.valueEnv)])
        expect(row).toContain(`\`${fact}\``);
    },
  );
});
