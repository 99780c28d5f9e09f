import {
  apiVersion,
  crdOf,
  formatPath,
  type ManifestInput,
  parseManifest,
  type PodTemplateInput,
  safeParseManifest,
  type WorkloadKind,
  workloadKinds,
} from '../../lib/api';
import { evaluateCel } from '../../lib/api/rules/cel';

type Fields = Readonly<Record<string, unknown>>;

interface FieldCase {
  readonly kind: WorkloadKind;
  /** Fields of the pod. */
  readonly pod: Fields;
  /** Fields of the spec besides those that the kind requires. */
  readonly spec?: Fields;
  readonly name?: string;
}

const containers = [{ name: 'app', image: 'example.com/app:1' }];
const template = (pod: Fields) => ({ spec: { ...pod, containers } });
const specs: Readonly<Record<WorkloadKind, (pod: Fields) => Fields>> = {
  PinterestService: (pod) => ({ template: template(pod) }),
  PinterestStatefulSet: (pod) => ({ template: template(pod) }),
  PinterestDaemon: (pod) => ({ template: template(pod) }),
  PinterestCronJob: (pod) => ({ schedule: '@daily', template: template(pod) }),
  PinterestJobSet: (pod) => ({
    replicatedJobs: [
      { name: 'first', template: template({}) },
      { name: 'second', template: template(pod) },
    ],
  }),
  PinterestTrainingJob: (pod) => ({
    framework: 'pytorch',
    template: template({}),
    roles: { master: {}, worker: { replicas: 2, template: template(pod) } },
  }),
};
const manifest = ({ kind, pod, spec = {}, name = 'cart' }: FieldCase) =>
  ({
    apiVersion,
    kind,
    metadata: { name, namespace: 'shop' },
    spec: { ...specs[kind](pod), ...spec },
  }) as unknown as ManifestInput;

/** Returns the fields of which the rules of the definition say that the platform sets them to another value. */
function rejectedByRules(one: FieldCase): readonly string[] {
  const { metadata } = manifest(one);
  const withoutPodFields = parseManifest(manifest({ ...one, pod: {} })).spec as Fields;
  // The API server keeps durations as they are written.
  const { gracePeriod } = (one.spec?.['termination'] ?? withoutPodFields['termination']) as Fields;
  const spec = { ...withoutPodFields, ...specs[one.kind](one.pod), termination: { gracePeriod } };
  const self = { metadata, spec };
  const schema = crdOf(one.kind).spec.versions[0]?.schema?.openAPIV3Schema as Fields;
  const rules = (schema['x-kubernetes-validations'] ?? []) as readonly { rule: string; message: string }[];
  return rules
    .filter(({ message }) => message.startsWith('is set by the platform'))
    .flatMap(({ rule, message }) => (holds(rule, self) ? [] : [message]));
}

function holds(rule: string, self: Fields): boolean {
  try {
    return evaluateCel(rule, { self }) === true;
  } catch {
    return false;
  }
}

const own: readonly FieldCase[] = [
  { kind: 'PinterestService', pod: { restartPolicy: 'Always', schedulerName: 'default-scheduler' } },
  { kind: 'PinterestService', pod: { serviceAccountName: 'cart', serviceAccount: 'cart' } },
  { kind: 'PinterestService', pod: { priorityClassName: 'critical' }, spec: { tier: 'critical' } },
  { kind: 'PinterestService', pod: { hostNetwork: false, hostPID: false, hostIPC: false } },
  { kind: 'PinterestService', pod: { terminationGracePeriodSeconds: 30 } },
  ...(['1m30s', '90s'] as const).map((gracePeriod): FieldCase => ({
    kind: 'PinterestService',
    pod: { terminationGracePeriodSeconds: 90 },
    spec: { termination: { gracePeriod } },
  })),
  ...(['36h', '1d12h'] as const).map((gracePeriod): FieldCase => ({
    kind: 'PinterestCronJob',
    pod: { terminationGracePeriodSeconds: 129_600 },
    spec: { termination: { gracePeriod } },
  })),
  {
    kind: 'PinterestCronJob',
    pod: { terminationGracePeriodSeconds: 86_400 },
    spec: { termination: { gracePeriod: '1d' } },
  },
  { kind: 'PinterestStatefulSet', pod: { terminationGracePeriodSeconds: 60, restartPolicy: 'Always' } },
  { kind: 'PinterestDaemon', pod: { hostNetwork: true, hostPID: false }, spec: { host: { network: true } } },
  { kind: 'PinterestDaemon', pod: { priorityClassName: 'system-node-critical' }, spec: { critical: true } },
  { kind: 'PinterestCronJob', pod: { restartPolicy: 'Never', serviceAccountName: 'cart' } },
  { kind: 'PinterestJobSet', pod: { restartPolicy: 'Never', serviceAccountName: 'cart' } },
  { kind: 'PinterestTrainingJob', pod: { restartPolicy: 'Never', terminationGracePeriodSeconds: 30 } },
];

const others: readonly (FieldCase & { readonly inEnum?: true })[] = [
  { kind: 'PinterestService', pod: { restartPolicy: 'Never' }, inEnum: true },
  { kind: 'PinterestService', pod: { schedulerName: 'volcano' }, inEnum: true },
  { kind: 'PinterestService', pod: { hostNetwork: true }, inEnum: true },
  { kind: 'PinterestService', pod: { serviceAccountName: 'basket' } },
  { kind: 'PinterestService', pod: { serviceAccount: 'basket' } },
  // The service account has a shortened name.
  { kind: 'PinterestService', pod: { serviceAccountName: 'c'.repeat(64) }, name: 'c'.repeat(64) },
  { kind: 'PinterestService', pod: { priorityClassName: 'critical' } },
  { kind: 'PinterestService', pod: { priorityClassName: 'critical' }, spec: { tier: 'standard' } },
  { kind: 'PinterestService', pod: { terminationGracePeriodSeconds: 60 } },
  {
    kind: 'PinterestService',
    pod: { terminationGracePeriodSeconds: 1 },
    spec: { termination: { gracePeriod: '1500ms' } },
  },
  { kind: 'PinterestStatefulSet', pod: { terminationGracePeriodSeconds: 30 } },
  { kind: 'PinterestDaemon', pod: { hostNetwork: false }, spec: { host: { network: true } } },
  { kind: 'PinterestDaemon', pod: { priorityClassName: 'critical' }, spec: { critical: true } },
  { kind: 'PinterestCronJob', pod: { restartPolicy: 'OnFailure' }, inEnum: true },
  { kind: 'PinterestJobSet', pod: { serviceAccountName: 'basket' } },
  { kind: 'PinterestTrainingJob', pod: { terminationGracePeriodSeconds: 60 } },
];
const titleOf = ({ kind, pod, spec }: FieldCase): string =>
  [kind, JSON.stringify(pod), JSON.stringify(spec ?? {})].join(' ');

describe('a pod field of a template', () => {
  test.each(own.map((one) => [titleOf(one), one] as const))(
    'with the value of the platform is no problem: %s',
    (_, one) => {
      const { manifest: parsed, problems } = safeParseManifest(manifest(one));
      expect(problems).toEqual([]);
      expect(parsed?.spec).toEqual(parseManifest(manifest({ ...one, pod: {} })).spec);
      expect(rejectedByRules(one)).toEqual([]);
    },
  );

  test.each(others.map((one) => [titleOf(one), one] as const))('with another value is one: %s', (_, one) => {
    const { problems } = safeParseManifest(manifest(one));
    const [field = ''] = Object.keys(one.pod);
    expect(problems.map(({ code, path }) => [code, path.at(-1)])).toEqual([['platform-owned', field]]);
    const messages = problems.map(({ reason, remedy }) => `${reason}; ${remedy}`);
    expect(rejectedByRules(one)).toEqual(one.inEnum ? [] : messages);
  });

  test.each([5, true, null, ['cart'], {}, ''])('of another type is a problem: %j', (value) => {
    const pod = { serviceAccountName: value, terminationGracePeriodSeconds: value === 5 ? '30' : value };
    const { problems } = safeParseManifest(manifest({ kind: 'PinterestService', pod }));
    expect(problems.map(({ path }) => formatPath(path))).toEqual([
      'spec.template.spec.serviceAccountName',
      'spec.template.spec.terminationGracePeriodSeconds',
    ]);
  });

  test('does not disable the rules that read the template', () => {
    const pod = { restartPolicy: 'Always', volumes: [{ name: 'data', emptyDir: {} }] };
    const spec = { volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }] };
    const { problems } = safeParseManifest(manifest({ kind: 'PinterestStatefulSet', pod, spec }));
    expect(problems.map(({ rule }) => rule)).toEqual(['stateful-set-volume-name']);
  });

  test('has a schema with the only value that the kind sets', () => {
    const schema = JSON.stringify(crdOf('PinterestJobSet'));
    expect(schema).toContain('"restartPolicy":{"type":"string","enum":["Never"]}');
    expect(schema).not.toContain('"restartPolicy":{"type":"string","enum":["Always"]},');
  });
});

test('the types of inputs accept the fields that a template may repeat, and no others', () => {
  const repeated: PodTemplateInput = {
    metadata: { creationTimestamp: null, labels: { app: 'cart' } },
    spec: {
      containers: [{ name: 'app', image: 'example.com/app:1' }],
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      serviceAccountName: 'cart',
      serviceAccount: 'cart',
      terminationGracePeriodSeconds: 30,
      hostNetwork: false,
      hostPID: false,
      hostIPC: false,
    },
  };
  const tiered: PodTemplateInput = { spec: { containers: [], priorityClassName: 'critical' } };
  const placed: PodTemplateInput = {
    spec: {
      containers: [],
      // @ts-expect-error the platform sets it, and no template may repeat it
      nodeName: 'node-1',
    },
  };
  const spec: ManifestInput<'PinterestService'>['spec'] = { template: repeated };
  const input = { apiVersion, kind: 'PinterestService', metadata: { name: 'cart', namespace: 'shop' }, spec } as const;
  expect(safeParseManifest(input).problems).toEqual([]);
  const names = [repeated, tiered].flatMap(({ spec: { containers: _, ...fields } }) => Object.keys(fields));
  expect(names.sort()).toEqual(Object.keys(workloadKinds.PinterestService.podFields).sort());
  expect(Object.keys(placed.spec)).toContain('nodeName');
});
