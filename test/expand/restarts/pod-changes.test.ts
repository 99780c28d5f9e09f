import { parseManifest, type ManifestInput, type Workload } from '../../../lib/api';
import {
  distinctCauses,
  expandUnchecked,
  podChanges,
  resolvePlatform,
  type ComparedObjects,
  type KubernetesObject,
  type PodChange,
  type ProjectContext,
} from '../../../lib/expand';
import { makeCronJob, makeJobSet, makeProjectContext, makeService } from '../../../lib/testing';

const object = (kind: string, spec: object, metadata: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'cart', namespace: 'shop', ...metadata },
  spec,
});
const template = (image = 'app:1', metadata: object = {}) => ({
  metadata: { labels: { app: 'cart' }, ...metadata },
  spec: { containers: [{ name: 'app', image }] },
});
const between = (before: readonly KubernetesObject[], after: readonly KubernetesObject[]): PodChange =>
  podChanges({ objects: before }, { objects: after })[0] as PodChange;

const effectOf = (kind: string, before: object, after: object): [string, boolean, string[]] => {
  const { effect, restarts, fields } = between([object(kind, before)], [object(kind, after)]);
  return [effect, restarts, fields.map(({ path }) => path)];
};
const image = 'spec.template.spec.containers[app].image';

describe('the effect of a change', () => {
  test.each(['Deployment', 'StatefulSet', 'DaemonSet', 'Rollout'])('a template restarts the pods of a %s', (kind) =>
    expect(effectOf(kind, { template: template() }, { template: template('app:2') })).toEqual([
      'restarted',
      true,
      [image],
    ]),
  );

  test.each<[string, object, string]>([
    ['DaemonSet', { updateStrategy: { type: 'OnDelete' } }, 'onDelete'],
    ['StatefulSet', { updateStrategy: { type: 'OnDelete' } }, 'onDelete'],
    ['StatefulSet', { replicas: 3, updateStrategy: { rollingUpdate: { partition: 3 } } }, 'paused'],
    ['Deployment', { paused: true }, 'paused'],
    ['ReplicaSet', {}, 'onDelete'],
  ])('a template of a %s with %j restarts no pods: %s', (kind, more, effect) =>
    expect(effectOf(kind, { ...more, template: template() }, { ...more, template: template('app:2') })).toEqual([
      effect,
      false,
      [image],
    ]),
  );

  test('a partition below the number of pods restarts some of them', () => {
    const more = { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } };
    const spec = (tag: string) => ({ ...more, template: template(tag) });
    expect(effectOf('StatefulSet', spec('app:1'), spec('app:2'))[0]).toBe('restarted');
  });

  test.each<[string, object, object, string, string]>([
    ['Deployment', { replicas: 2 }, { replicas: 3 }, 'scaled', 'spec.replicas'],
    ['Job', { parallelism: 2 }, { parallelism: 3 }, 'scaled', 'spec.parallelism'],
    ['Job', { suspend: false }, { suspend: true }, 'suspended', 'spec.suspend'],
    ['StatefulSet', { serviceName: 'a' }, { serviceName: 'b' }, 'recreated', 'spec.serviceName'],
  ])('%s: %j to %j restarts no pods: %s', (kind, before, after, effect, path) =>
    expect(effectOf(kind, { ...before, template: template() }, { ...after, template: template() })).toEqual([
      effect,
      false,
      [path],
    ]),
  );

  test('a selector replaces the object and its pods', () =>
    expect(
      effectOf(
        'Deployment',
        { selector: { matchLabels: { app: 'a' } }, template: template() },
        { selector: { matchLabels: { app: 'b' } }, template: template() },
      ),
    ).toEqual(['replaced', true, ['spec.selector.matchLabels.app']]));

  test('an immutable field of a Job starts a new run, and a template of a CronJob changes only the next one', () => {
    expect(effectOf('Job', { completions: 2, template: template() }, { completions: 3, template: template() })).toEqual(
      ['newRun', true, ['spec.completions']],
    );
    expect(effectOf('Job', { template: template() }, { template: template('app:2') })).toEqual([
      'newRun',
      true,
      [image],
    ]);
    const schedule = (tag: string) => ({ jobTemplate: { spec: { template: template(tag) } } });
    expect(effectOf('CronJob', schedule('app:1'), schedule('app:2'))).toEqual([
      'nextRun',
      false,
      ['spec.jobTemplate.spec.template.spec.containers[app].image'],
    ]);
  });

  test('a Pod is replaced', () =>
    expect(effectOf('Pod', template('app:1').spec, template('app:2').spec)).toEqual([
      'replaced',
      true,
      ['spec.containers[app].image'],
    ]));

  test('a restart that an operator requested is kept, and a label of the object restarts nothing', () => {
    const restarted = template('app:1', { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-23' } });
    expect(effectOf('Deployment', { template: restarted }, { template: template() })).toEqual(['unchanged', false, []]);
    const [plain, labeled] = [{}, { labels: { a: 'b' } }].map((metadata) =>
      object('Deployment', { template: template() }, metadata),
    ) as [KubernetesObject, KubernetesObject];
    expect(between([plain], [labeled]).effect).toBe('unchanged');
  });

  test('new and deleted objects: pods of a deleted one end, runs that a CronJob started do not count', () => {
    const deployment = object('Deployment', { template: template() });
    expect(between([], [deployment])).toMatchObject({ effect: 'created', restarts: false });
    expect(between([deployment], [])).toMatchObject({ effect: 'removed', restarts: true });
    const schedule = object('CronJob', { jobTemplate: { spec: { template: template() } } });
    expect(between([schedule], [])).toMatchObject({ effect: 'removed', restarts: false });
    expect(podChanges({ objects: [object('Service', {})] }, { objects: [] })).toEqual([]);
  });

  test('objects of the same name in other namespaces are other objects', () => {
    const [one, other] = ['a', 'b'].map((namespace) => object('Deployment', { template: template() }, { namespace }));
    const changes = podChanges(
      { objects: [one as KubernetesObject] },
      { objects: [one as KubernetesObject, other as KubernetesObject] },
    );
    expect(changes.map(({ namespace, effect }) => [namespace, effect])).toEqual([
      ['a', 'unchanged'],
      ['b', 'created'],
    ]);
  });

  test('values that may be secrets are not shown', () => {
    const withVariable = (value: string) => ({
      template: {
        spec: { containers: [{ name: 'app', env: [{ name: 'A', value }], image: `https://u:${value}@host/a` }] },
      },
    });
    const { fields } = between(
      [object('Deployment', withVariable('marker-1'))],
      [object('Deployment', withVariable('marker-2'))],
    );
    expect(fields.map(({ path }) => path)).toEqual(['spec.template.spec.containers[app].env[A].value', image]);
    expect(JSON.stringify(fields)).not.toContain('marker');
  });
});

describe('causes', () => {
  const side = (input: ManifestInput, context: ProjectContext): ComparedObjects => {
    const workload = parseManifest(input) as Workload;
    return { objects: expandUnchecked(workload, context), source: { workload, context } };
  };
  const plain = resolvePlatform([]).project('shop');
  const causesBetween = (
    [one, other]: readonly [ManifestInput, ManifestInput],
    [before, after]: readonly [ProjectContext, ProjectContext] = [plain, plain],
  ): [string, ...(string | undefined)[][]][] =>
    podChanges(side(one, before), side(other, after)).map(({ kind, name, effect, causes }) => [
      `${kind}/${name} ${effect}`,
      ...causes.map(({ object: from, path }) => [from, path]),
    ]);
  const service = (more: object = {}): ManifestInput => makeService({ name: 'cart', ...more } as never);
  const containers = (tag: string, more: object = {}) => ({
    template: { spec: { containers: [{ name: 'app', image: `registry.example.com/app:${tag}`, ...more }] } },
  });

  test('are the changed fields of the workload that the pods have, and no others', () =>
    expect(
      causesBetween([
        service({ ...containers('1.0.0'), replicas: 2, links: { runbook: 'https://a.example.com' } }),
        service({ ...containers('1.1.0', { env: [{ name: 'MODE', value: 'fast' }] }), replicas: 3 }),
      ]),
    ).toEqual([
      [
        'Deployment/cart restarted',
        ['PinterestService shop/cart', 'spec.template.spec.containers[app].image'],
        ['PinterestService shop/cart', 'spec.template.spec.containers[app].env[MODE]'],
      ],
    ]));

  test('scaling has its own cause, and another team of the Project restarts pods', () => {
    const scaled = [service({ replicas: 2 }), service({ replicas: 3 })] as const;
    expect(causesBetween(scaled)).toEqual([
      ['Deployment/cart scaled', ['PinterestService shop/cart', 'spec.replicas']],
    ]);
    const teams = ['retail', 'checkout'].map((team) => makeProjectContext({ project: { team } }));
    expect(causesBetween(scaled, teams as [ProjectContext, ProjectContext])[0]?.slice(1)).toEqual([
      [expect.stringMatching(/^Project /), 'spec.team'],
    ]);
  });

  test('are fields of the Platform and parts of the RuntimeProfile', () => {
    const platforms = ['staging', 'prod'].map((environment) => makeProjectContext({ platform: { environment } }));
    expect(causesBetween([service(), service()], platforms as [ProjectContext, ProjectContext])).toEqual([
      ['Deployment/cart restarted', [expect.stringMatching(/^Platform /), 'spec.environment']],
    ]);
    const other = {
      ...plain.profile,
      metadata: { ...plain.profile.metadata, name: 'next' },
      spec: { ...plain.profile.spec, parts: plain.profile.spec.parts.filter(({ name }) => name !== 'logs') },
    };
    const moved = resolvePlatform([
      {
        ...plain.platform,
        spec: { ...plain.platform.spec, runtime: { ...plain.platform.spec.runtime, profile: 'next' } },
      },
      other,
    ]);
    expect(causesBetween([service(), service()], [plain, moved.project('shop')])[0]).toEqual(
      expect.arrayContaining([
        'Deployment/cart restarted',
        ['RuntimeProfile next', 'spec.parts[logs]'],
        ['RuntimeProfile next', 'metadata.name'],
      ]),
    );
  });

  test('a change of the cluster alone takes effect in the next run', () => {
    const teams = ['retail', 'checkout'].map((team) => makeProjectContext({ project: { team } }));
    const job = makeJobSet({ name: 'cart' });
    expect(causesBetween([job, job], teams as [ProjectContext, ProjectContext])[0]?.[0]).toBe('Job/cart nextRun');
    const changed = makeJobSet({ name: 'cart', ...containers('2.0.0') } as never);
    expect(causesBetween([job, changed])[0]?.[0]).toBe('Job/cart newRun');
    expect(causesBetween([makeCronJob({}), makeCronJob(containers('2.0.0') as never)])[0]?.[0]).toMatch(/ nextRun$/);
  });

  test('common to several objects are listed once', () => {
    const changes = podChanges(
      side(makeJobSet({ name: 'cart' }), plain),
      side(makeJobSet({ name: 'cart', ...containers('2.0.0') } as never), plain),
    );
    expect(distinctCauses([...changes, ...changes])).toEqual(distinctCauses(changes));
    expect(distinctCauses(changes).length).toBeGreaterThan(0);
  });

  test('objects that a field creates or removes name it', () => {
    const sharded = (shards: number) =>
      makeJobSet({
        name: 'cart',
        shards,
        overrides: [{ shards: [0], resources: { requests: { cpu: '2' } } }],
      } as never);
    const changes = causesBetween([makeJobSet({ name: 'cart', shards: 4 } as never), sharded(4)]);
    expect(changes.length).toBeGreaterThan(1);
    expect(changes.every(([, ...causes]) => causes.some(([, path]) => path?.startsWith('spec.overrides')))).toBe(true);
  });
});
