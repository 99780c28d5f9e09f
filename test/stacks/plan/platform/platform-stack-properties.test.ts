import fc from 'fast-check';
import {
  checkNative,
  parseManifest,
  safeParseManifest,
  isWorkloadKind,
  isTypeName,
  type PlatformManifest,
  type PlatformKind,
  type Problem,
  type Workload,
} from '../../../../lib/api';
import { alertGroups } from '../../../../lib/observability';
import { safeExpand, resolvePlatform, type KubernetesObject } from '../../../../lib/expand';
import {
  addOns,
  addOnImage,
  planPlatformStack,
  type AddOnName,
  type PlatformStackInput,
  type Stage,
} from '../../../../stacks/plan/platform';
import { platformStackSchema } from '../../../../stacks/plan/platform/config/platform-stack-config';
import { providedBy, isBuiltIn, nameOf, referencesOf } from './references';
import { makePlatformInput } from './make-platform-input';
import { randomPlatformInput } from './random-platform-input';

const objectsIn = (stages: readonly Stage[]): KubernetesObject[] => stages.flatMap(({ objects }) => [...objects]);
const documentKinds: readonly string[] = ['Platform', 'RuntimeProfile', 'Project'] satisfies PlatformKind[];

/** Returns all objects of a plan and those that its workloads expand to. */
function withExpansions(stages: readonly Stage[]): { objects: KubernetesObject[]; problems: Problem[] } {
  const objects = objectsIn(stages);
  const documents = objects.filter(({ kind }) => documentKinds.includes(kind));
  const cluster = resolvePlatform(documents.map((document) => parseManifest(document as never)) as PlatformManifest[]);
  const problems: Problem[] = [];
  const expansions = objects
    .filter(({ kind }) => isWorkloadKind(kind))
    .flatMap((object) => {
      const { manifest, problems: found } = safeParseManifest(object);
      problems.push(...found);
      if (!manifest) return [];
      const expanded = safeExpand(manifest as Workload, cluster.project(object.metadata.namespace ?? ''));
      problems.push(...expanded.problems);
      return [...(expanded.objects ?? [])];
    });
  return { objects: [...objects, ...expansions], problems };
}

/** Returns every value of a key, at any depth. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name === key ? [member] : []),
    ...valuesOf(member, key),
  ]);
}

/** A cluster, its stages, and their objects. */
interface Case {
  readonly input: PlatformStackInput;
  readonly stages: readonly Stage[];
  readonly objects: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

let cases: readonly Case[] = [];
beforeAll(() => {
  cases = fc.sample(randomPlatformInput, 12).map((input) => {
    const stages = planPlatformStack(input);
    return { input, stages, ...withExpansions(stages) };
  });
});

/** Runs a check for every cluster; a failure includes the cluster's configuration. */
function forEachCase(check: (one: Case) => void): void {
  for (const one of cases) {
    try {
      check(one);
    } catch (cause) {
      throw new Error(`in a cluster with ${JSON.stringify(one.input)}: ${String(cause)}`, { cause });
    }
  }
}

const isWorkload = ({ kind }: KubernetesObject) => isWorkloadKind(kind) || ['Deployment', 'DaemonSet'].includes(kind);

test('every object references only objects of its own or earlier stages', () => {
  forEachCase(({ stages }) => {
    const existing = new Set<string>();
    for (const { objects } of stages) {
      // RBAC comes before the workload whose expansion creates the service account.
      const createdLater = new Set(
        objects
          .filter(({ kind }) => isWorkloadKind(kind))
          .flatMap(providedBy)
          .filter((reference) => reference.startsWith('ServiceAccount ')),
      );
      for (const object of objects) {
        const missing = referencesOf(object).filter(
          (reference) => !existing.has(reference) && !createdLater.has(reference) && !isBuiltIn(reference),
        );
        expect([nameOf(object), ...missing]).toEqual([nameOf(object)]);
        providedBy(object).forEach((reference) => existing.add(reference));
      }
    }
  });
});

test('objects are unique', () => {
  forEachCase(({ stages }) => {
    const names = objectsIn(stages).map(nameOf);
    expect(names).toEqual([...new Set(names)]);
  });
});

test('no role uses a wildcard', () => {
  forEachCase(({ stages }) => {
    const rules = objectsIn(stages)
      .flatMap((object) => valuesOf(object, 'rules'))
      .flat() as {
      [list: string]: string[];
    }[];
    const roles = rules.filter((rule) => Array.isArray(rule['verbs']));
    expect(roles.length).toBeGreaterThan(40);
    for (const rule of roles) expect(Object.values(rule).flat()).not.toContainEqual(expect.stringContaining('*'));
  });
});

/** Returns whether the cluster has any HTTP ingress. */
const hasIngress = ({ platform }: PlatformStackInput): boolean =>
  Object.keys((platform['ingress'] ?? {}) as object).length > 0;

/** Returns the images of the table for a cluster. */
const tableOf = (input: PlatformStackInput): Set<string> => {
  const complete = platformStackSchema.parse(input);
  return new Set(
    (Object.keys(addOns) as AddOnName[]).flatMap((name) =>
      Object.keys(addOns[name].images).map((container) => addOnImage(complete, name, container)),
    ),
  );
};

/** Returns the images of the installed programs of the platform itself. */
const ownImages = ({ submission, quotaMonitor, gatewayImage, clientMonitorImage }: PlatformStackInput): string[] => [
  ...[submission, quotaMonitor].flatMap((one) => (one ? [one.image] : [])),
  ...(gatewayImage === undefined ? [] : [gatewayImage]),
  ...(clientMonitorImage === undefined ? [] : [clientMonitorImage]),
];

test('every image is pinned and in the table; every image of the table is used', () => {
  forEachCase(({ input, stages }) => {
    const workloads = objectsIn(stages).filter(isWorkload);
    const images = new Set(workloads.flatMap((object) => valuesOf(object['spec'], 'image')) as string[]);
    images.delete(input.controllerImage);
    images.delete(input.nodeLifecycleImage);
    ownImages(input).forEach((image) => images.delete(image));
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?$/);
    const table = tableOf(input);
    if (!hasIngress(input)) for (const image of table) if (/\/(traefik|external-dns):/.test(image)) table.delete(image);
    expect([...images].sort()).toEqual([...table].sort());
  });
});

test('with registry mirrors, no image comes from another registry', () => {
  const hosts = ['docker.io', 'ghcr.io', 'public.ecr.aws', 'quay.io', 'registry.k8s.io'];
  const registries = Object.fromEntries(hosts.map((host) => [host, `mirror.example.com/${host}`]));
  const input = makePlatformInput({ registries });
  const workloads = withExpansions(planPlatformStack(input)).objects.filter(isWorkload);
  const images = workloads.flatMap((object) => valuesOf(object['spec'], 'image')) as string[];
  expect(images.some((image) => image.startsWith('mirror.example.com/docker.io/library/busybox:'))).toBe(true);
  const elsewhere = images.filter((image) => !image.startsWith('mirror.example.com/'));
  expect(new Set(elsewhere)).toEqual(new Set([input.controllerImage, input.nodeLifecycleImage, ...ownImages(input)]));
});

test('the cluster offers everything that pinion workloads request, without a warning', () => {
  forEachCase(({ problems }) => {
    expect(problems).toEqual([]);
  });
});

test('Kubernetes accepts every native object, and every one that a workload expands to', () => {
  forEachCase(({ input, objects }) => {
    const native = objects.filter(
      ({ apiVersion, kind }) => !apiVersion.startsWith('pinterest.com/') && isTypeName(kind),
    );
    expect(native.length).toBeGreaterThan(60);
    const problems: Problem[] = [];
    for (const object of native) {
      if (!isTypeName(object.kind)) continue;
      const report = (problem: Problem) => void problems.push({ ...problem, object: nameOf(object) });
      checkNative(object.kind, object, [], report, { version: input.kubernetesVersion });
    }
    expect(problems).toEqual([]);
  });
});

test('every container has requests and limits', () => {
  forEachCase(({ objects }) => {
    const containers = objects
      .filter(({ kind }) => ['Deployment', 'DaemonSet'].includes(kind))
      .flatMap((object) => [...valuesOf(object, 'containers'), ...valuesOf(object, 'initContainers')].flat());
    expect(containers.length).toBeGreaterThan(15);
    for (const container of containers)
      expect(container).toMatchObject({
        resources: {
          requests: { cpu: expect.any(String) as unknown, memory: expect.any(String) as unknown },
          limits: { memory: expect.any(String) as unknown },
        },
        securityContext: expect.any(Object) as unknown,
      });
  });
});

test('the limits of the autoscaler are those of the groups, and their sum with the control plane nodes', () => {
  forEachCase(({ input, stages }) => {
    const { nodeGroups, controlPlane: controlPlaneNodes } = input;
    const autoscaler = objectsIn(stages).find(
      ({ kind, metadata }) => kind === 'PinterestService' && metadata.name === 'cluster-autoscaler',
    );
    const args = valuesOf(autoscaler, 'args').flat() as string[];
    expect(args.filter((flag) => flag.startsWith('--nodes='))).toEqual(
      nodeGroups.map(({ group, min, max }) => `--nodes=${min}:${max}:${group}`),
    );
    expect(args.some((flag) => flag.startsWith('--node-group-auto-discovery'))).toBe(false);
    const sum = (of: (group: (typeof nodeGroups)[number]) => number, own: number) =>
      nodeGroups.reduce((total, group) => total + of(group), own);
    expect(args).toContain(`--scan-interval=${input.autoscaler.scanSeconds}s`);
    expect(args).toContain(`--max-nodes-total=${sum(({ max }) => max, controlPlaneNodes.count)}`);
    expect(args).toContain(
      `--cores-total=0:${sum(({ max, cpus }) => max * cpus, controlPlaneNodes.count * controlPlaneNodes.cpus)}`,
    );
    const memory = sum(({ max, memoryGib }) => max * memoryGib, controlPlaneNodes.count * controlPlaneNodes.memoryGib);
    expect(args).toContain(`--memory-total=0:${Math.ceil(memory)}`);
  });
});

test('the runbook of workloads without capacity reads the status that the autoscaler writes', () => {
  const alert = alertGroups
    .flatMap(({ alerts }) => alerts)
    .find(({ name }) => name === 'PinionWorkloadsPendingCapacity');
  const command = alert?.diagnosis.find((step) => step.command?.includes('cluster-autoscaler-status'))?.command;
  const [namespace] = /(?<=-n )\S+/.exec(command ?? '') ?? [];
  forEachCase(({ objects }) => {
    const autoscaler = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'cluster-autoscaler',
    );
    expect(autoscaler?.metadata.namespace).toBe(namespace);
    expect(valuesOf(autoscaler, 'args')[0]).toContain(`--namespace=${namespace}`);
  });
});

test('programs with an IAM role use the service account that the role trusts, with a projected token', () => {
  forEachCase(({ input, objects }) => {
    const pods = objects.filter(({ kind }) => ['Deployment', 'DaemonSet'].includes(kind));
    const programs = pods.flatMap((object) => {
      const [account] = valuesOf(object, 'serviceAccountName');
      const variables = valuesOf(object, 'env').flat() as { name: string; value?: string }[];
      const [role] = variables.filter(({ name }) => name === 'AWS_ROLE_ARN').map(({ value }) => value);
      if (role === undefined) return [];
      expect(valuesOf(object, 'audience')).toContain('sts.amazonaws.com');
      return [{ role, account: `${object.metadata.namespace}/${String(account)}` }];
    });
    const expected = [
      ['cloud-controller-manager', 'kube-system/cloud-controller-manager'],
      ['cluster-autoscaler', 'platform-scaling/cluster-autoscaler'],
      ['drain-consumer', 'platform-scaling/drain-consumer'],
      ['ebs-csi-driver', 'platform-storage/ebs-csi-controller'],
      ...(hasIngress(input) ? ([['external-dns', 'platform-ingress/external-dns']] as const) : []),
      ['node-approver', 'kube-system/node-approver'],
      ['submission', 'pinion-submission/submission'],
    ] as const;
    expect(programs.sort((a, b) => (a.role < b.role ? -1 : 1))).toEqual(
      expected.map(([role, account]) => ({ role: input.roles[role], account })),
    );
  });
});

test('every Service and every PodDisruptionBudget selects existing pods', () => {
  forEachCase(({ objects }) => {
    const templates = objects
      .filter(({ kind }) => ['Deployment', 'DaemonSet'].includes(kind))
      .map(({ metadata, ...body }) => ({
        namespace: metadata.namespace,
        labels: valuesOf(valuesOf(body, 'template'), 'labels')[0] as Record<string, string>,
      }));
    const selecting = objects.filter(({ kind }) => ['Service', 'PodDisruptionBudget'].includes(kind));
    expect(selecting.length).toBeGreaterThan(4);
    for (const { kind, metadata, spec } of selecting) {
      const { selector } = spec as { selector: Record<string, unknown> };
      const selectorLabels = Object.entries((kind === 'Service' ? selector : selector['matchLabels']) as object);
      const found = templates.filter(
        ({ namespace, labels }) =>
          namespace === metadata.namespace && selectorLabels.every(([key, value]) => labels[key] === value),
      );
      expect([kind, metadata.name, found.length]).toEqual([kind, metadata.name, 1]);
    }
  });
});
