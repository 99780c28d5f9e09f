import { valueAt, type ManifestInput } from '../../../lib/api';
import { defaultPlatform } from '../../../lib/expand';
import { ControllerFixture } from '../controller-fixture';
import { reportReady } from './ready-deployments';

type Spec<K extends 'Platform' | 'Project'> = ManifestInput<K>['spec'];

const rollouts: Spec<'Platform'>['rollouts'] = {
  waves: [{ name: 'first', tiers: ['batch'], soak: '1m' }],
  soak: '1m',
  budget: { workloadsPerProject: 10 },
};
const platform = (more: Partial<Spec<'Platform'>> = {}): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, rollouts, ...more },
});
const project = (name: string, spec: Partial<Spec<'Project'>> = {}): ManifestInput<'Project'> => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'Project',
  metadata: { name },
  spec: { team: 'commerce', ...spec },
});
const service = (namespace: string, name: string, tier: string): ManifestInput<'PinterestService'> => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name, namespace },
  spec: { tier, template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } } },
});
const early = ['index', 'report'];
const late = ['cart', 'search'];

describe('a change of a Project', () => {
  let at: ControllerFixture;
  const teamOf = (namespace: string, name: string): string | undefined =>
    JSON.stringify(at.server.find('Deployment', namespace, name)?.['spec']).match(
      /pinterest.com\/team":"([a-z]+)/,
    )?.[1];
  const teams = (names: readonly string[]) => names.map((name) => teamOf('shop', name));
  const revisions = (name = 'shop') =>
    at.status('Project', '', name)['revisions'] as {
      readonly current: string;
      readonly completed: string;
      readonly rollout?: string;
    };
  const phase = (name = revisions().rollout ?? '') => at.status('PlatformRollout', '', name)['phase'];

  beforeEach(async () => {
    at = new ControllerFixture();
    // The server creates objects at the start of 2026.
    await at.clock.advance(Date.parse('2026-03-01T12:00:00Z'));
    at.apply(
      ...[platform(), project('shop'), project('blog')],
      ...early.map((name) => service('shop', name, 'batch')),
      ...late.map((name) => service('shop', name, 'standard')),
      service('blog', 'front', 'standard'),
    );
    await at.cache.start();
    at.controller.start();
    await at.settle(10_000);
    await reportReady(at);
    await at.settle(10_000);
  });
  afterEach(() => at.stop());

  it('reaches its workloads tier by tier', async () => {
    expect([...teams(early), ...teams(late)]).toEqual(Array(4).fill('commerce'));
    at.apply(project('shop', { team: 'retail' }));
    await at.settle(10_000);
    expect(phase()).toBe('Progressing');
    expect(teams(early)).toEqual(['retail', 'retail']);
    expect(teams(late)).toEqual(['commerce', 'commerce']);
    await reportReady(at);
    await at.settle(30_000);
    expect(teams(late)).toEqual(['commerce', 'commerce']);
    await at.settle(60_000);
    expect(teams(late)).toEqual(['retail', 'retail']);
    await reportReady(at);
    await at.settle(120_000);
    expect(phase()).toBe('Completed');
    expect(revisions().completed).toBe(revisions().current);
    expect(teamOf('blog', 'front')).toBe('commerce');
  });

  it('returns to the former facts if its workloads fail', async () => {
    at.apply(project('shop', { team: 'retail' }));
    await at.settle(10_000);
    const rollout = revisions().rollout ?? '';
    await reportReady(at, ['index']);
    await at.settle(10_000);
    expect(phase(rollout)).toBe('Failed');
    await reportReady(at);
    await at.settle(10_000);
    expect([...teams(early), ...teams(late)]).toEqual(Array(4).fill('commerce'));
    await reportReady(at);
    await at.settle(70_000);
    expect(phase(rollout)).toBe('RolledBack');
    expect(revisions().completed).not.toBe(revisions().current);
    // The former spec needs no rollout, and another one is tried.
    at.apply(project('shop'));
    await at.settle(70_000);
    expect(revisions().completed).toBe(revisions().current);
    expect(teams(late)).toEqual(['commerce', 'commerce']);
    at.apply(project('shop', { team: 'sales' }));
    await at.settle(10_000);
    expect(teams(early)).toEqual(['sales', 'sales']);
  });

  it('waits while a rollout of the Platform is in progress, which keeps what workloads have of the Project', async () => {
    const clusters = (names: readonly string[]) =>
      names.map((name) => JSON.stringify(at.server.find('Deployment', 'shop', name)).match(/stage-[12]/)?.[0]);
    at.apply(project('shop', { team: 'retail' }));
    await at.settle(10_000);
    await reportReady(at);
    at.apply(platform({ environment: 'stage-1' }));
    await at.settle(80_000);
    expect(phase()).toBe('Progressing');
    expect(at.status('PlatformRollout', '', revisions().rollout ?? '')['reason']).toBe('WaitsForPlatform');
    expect(clusters(early)).toEqual(['stage-1', 'stage-1']);
    expect([...teams(early), ...teams(late)]).toEqual(['retail', 'retail', 'commerce', 'commerce']);
    for (let round = 0; round < 5; round++) {
      await reportReady(at);
      await at.settle(70_000);
    }
    expect([...clusters(early), ...clusters(late)]).toEqual(Array(4).fill('stage-1'));
    expect([...teams(early), ...teams(late)]).toEqual(Array(4).fill('retail'));
    expect(phase()).toBe('Completed');
    const { platformRevision, projectRevision } = at.status('PinterestService', 'shop', 'cart') as Record<
      string,
      { readonly name: string; readonly former: string }
    >;
    const { completed } = at.status('Platform', '', 'cluster')['revisions'] as { readonly completed: string };
    expect([platformRevision?.name, projectRevision?.name]).toEqual([completed, revisions().completed]);
  });

  it('leaves workloads at their facts while they are deployed, and gives a new one the completed ones', async () => {
    at.apply(
      platform({ rollouts: { ...rollouts, freezes: [{ name: 'always', schedule: '* * * * *', duration: '1h' }] } }),
    );
    await at.settle(10_000);
    at.apply(project('shop', { team: 'retail' }));
    await at.settle(10_000);
    expect(phase()).toBe('Pending');
    at.apply(service('shop', 'new', 'standard'));
    const { spec, ...cart } = service('shop', 'cart', 'standard');
    at.apply({ ...cart, spec: { ...spec, labels: { deployed: 'again' } } } as ManifestInput);
    await at.settle(10_000);
    expect(JSON.stringify(at.server.find('Deployment', 'shop', 'cart'))).toContain('"deployed":"again"');
    expect(teams(['cart', 'new'])).toEqual(['commerce', 'commerce']);
  });

  it('writes nothing for a change that pods do not depend on, nor in another Project', async () => {
    at.server.written.length = 0;
    at.apply(project('shop', { onCall: '#shop', members: [{ name: 'shop-developers', role: 'edit' }] }));
    await at.settle(70_000);
    const workloads = () => at.server.written.filter(({ kind }) => ['PinterestService', 'Deployment'].includes(kind));
    expect(workloads()).toEqual([]);
    expect(revisions().rollout).toBeUndefined();
    at.apply(project('shop', { team: 'retail' }));
    for (let round = 0; round < 4; round++) {
      await at.settle(70_000);
      await reportReady(at);
    }
    expect(phase()).toBe('Completed');
    expect(workloads().filter(({ name }) => name === 'front')).toEqual([]);
  });

  it('holds at once to a stricter Pod Security level, which the namespace enforces', async () => {
    const isRestricted = (name: string) =>
      valueAt(at.server.find('Deployment', 'shop', name), [
        'spec',
        'template',
        'spec',
        'securityContext',
        'runAsNonRoot',
      ]);
    const frozen = { ...rollouts, freezes: [{ name: 'always', schedule: '* * * * *', duration: '1h' }] };
    at.apply(platform({ rollouts: frozen }), project('shop', { podSecurity: 'baseline' }));
    await at.settle(10_000);
    expect(isRestricted('cart')).toBe(true);
    at.apply(platform());
    at.server.removeObject('PlatformRollout', '', revisions().rollout ?? '');
    for (let round = 0; round < 4; round++) {
      await at.settle(70_000);
      await reportReady(at);
    }
    expect(isRestricted('cart')).toBeUndefined();
    at.apply(platform({ rollouts: frozen }));
    await at.settle(10_000);
    at.apply(project('shop'));
    await at.settle(10_000);
    expect(isRestricted('cart')).toBe(true);
  });

  it('reaches workloads once a controller without any state continues', async () => {
    at.apply(project('shop', { team: 'retail' }));
    await at.settle(10_000);
    await at.restart();
    expect([...teams(early), ...teams(late)]).toEqual(['retail', 'retail', 'commerce', 'commerce']);
    for (let round = 0; round < 4; round++) {
      await reportReady(at);
      await at.settle(70_000);
    }
    expect([...teams(early), ...teams(late)]).toEqual(Array(4).fill('retail'));
  });

  it('removes the rollouts of a deleted Project', async () => {
    at.apply(project('blog', { team: 'press' }));
    await at.settle(10_000);
    const name = revisions('blog').rollout ?? '';
    expect(at.server.find('PlatformRollout', '', name)).toBeDefined();
    at.server.removeObject('Project', '', 'blog');
    await at.settle(10_000);
    expect(at.server.find('PlatformRollout', '', name)).toBeUndefined();
  });
});

describe('a fleet from before Projects had revisions', () => {
  it('gets them without a write to a workload or its objects', async () => {
    const at = new ControllerFixture();
    await at.clock.advance(Date.parse('2026-03-01T12:00:00Z'));
    at.apply(platform(), project('shop'), service('shop', 'cart', 'standard'));
    await at.cache.start();
    at.controller.start();
    await at.settle(10_000);
    await reportReady(at);
    await at.settle(10_000);
    at.change('Project', '', 'shop', ({ status, ...object }) => {
      const { revisions: _, ...before } = status as Record<string, unknown>;
      return { ...object, status: before };
    });
    at.server.written.length = 0;
    await at.restart();
    await at.settle(10_000);
    const kinds = new Set(at.server.written.filter(({ verb }) => verb !== 'event').map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['Project', 'PlatformRevision']));
    expect(at.status('Project', '', 'shop')['revisions']).toBeDefined();
    await at.stop();
  });
});
