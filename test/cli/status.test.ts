import { type ServerResponse } from 'node:http';
import { type Change, type DeploymentPreview, type Deployment, type Phase } from '../../lib/contract';
import {
  frame,
  id,
  makePreview,
  makeDeployment,
  makeEvent,
  makeProject,
  makeWorkload,
} from '../contract/sample-resources';
import { runWithService, atTerminal, service } from './run-with-service';

const cause = {
  owner: 'capacity',
  reason: 'Unschedulable',
  message: 'no node fits',
  object: 'Pod/search-1',
} as const;
const unready = makeWorkload('search', {
  ready: false,
  phase: 'Progressing',
  progress: '0/1 ready',
  artifact: 'shop/search@2.0.0',
  cause,
});
const streamed = (write: (response: ServerResponse) => void) => ({ stream: write });

describe('status', () => {
  beforeEach(() => {
    service.replies = {
      projects: () => ({
        value: { items: [makeProject(), makeProject({ name: 'tools', team: 'platform', quota: [] })] },
      }),
      workloads: ({ query }) => ({
        value: { items: query['after'] ? [unready] : [makeWorkload('cart')], ...(!query['after'] && { next: 'x' }) },
      }),
      deployments: ({ query }) => {
        const items = [
          makeDeployment('queued', { version: '1.4.3', cause: { ...cause, owner: 'quota' } }),
          makeDeployment('ready'),
        ];
        return { value: { items: query['workflow'] === 'search' ? [] : items } };
      },
    };
  });

  test('reports an unreachable service and what to check', async () => {
    await service.stop();
    const { code, out, err } = await runWithService(['status']);
    expect([code, out]).toEqual([3, '']);
    const message = `cannot connect to ${service.url}: connection refused; check that the service runs there`;
    const [first = '', ...later] = err.trim().split('\n');
    expect(first.replace(/\d+ s$/, 'T')).toBe(`${message}; retrying in T`);
    expect(later.pop()).toBe(`pinion: ${message}`);
  });

  test('without an argument lists projects, unready workloads with cause and owner, and active deployments', async () => {
    const { code, out, err } = await runWithService(['status']);
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      'PROJECT  CLUSTER  TEAM      ROLE  WORKLOADS  NOT READY  QUOTA WARNINGS',
      'shop     prod-1   carts     edit  3          1          requests.cpu 11 of 20, filling, full on 2026-12-24',
      'tools    prod-1   platform  edit  3          1          -',
      '',
      'WORKLOAD                      CLUSTER  STATUS                  FROM               STAGE  CAUSE',
      'shop/PinterestService/search  prod-1   Progressing, 0/1 ready  shop/search@2.0.0  prod   capacity: Unschedulable: no node fits (Pod/search-1)',
      '',
      'IN PROGRESS      STAGE  PHASE   SINCE                 BY              ID                    CAUSE',
      `shop/cart@1.4.3  prod   queued  2026-11-21T14:00:00Z  system:ci:shop  ${id}  quota: Unschedulable: no node fits (Pod/search-1)`,
      '',
    ]);
  });

  test('of a project lists all of its workloads', async () => {
    const { out } = await runWithService(['status', 'shop']);
    expect(out).toMatch(/^shop\/PinterestService\/cart +prod-1 +Ready, 3\/3 ready +shop\/cart@1\.4\.2 +prod +-$/m);
    expect(out).not.toContain('tools');
    expect(service.requests.filter(({ name }) => name === 'workloads')[0]?.query).toMatchObject({ project: 'shop' });
  });

  test('of a workflow lists the workloads it deployed', async () => {
    const { out } = await runWithService(['status', 'shop/search']);
    expect(out).toContain('shop/PinterestService/search');
    expect(out).not.toMatch(/cart|PROJECT/);
  });

  test('as JSON is one document', async () => {
    expect(JSON.parse((await runWithService(['status', 'shop/search', '--json'])).out)).toMatchObject({
      projects: [{ name: 'shop' }],
      workloads: [unready],
      deployments: [],
    });
  });

  test.each(['shopp', 'shop/carts'])('reports a missing or hidden project or workflow: %s', async (word) => {
    service.replies = { ...service.replies, deployments: () => ({ value: { items: [] } }) };
    const { code, out, err } = await runWithService(['status', word]);
    expect([code, out, err]).toEqual([1, '', `pinion: no ${word}, or no permission to see it\n`]);
  });

  test('replaces terminal escapes in text from other users', async () => {
    const malicious = makeWorkload('evil', {
      ready: false,
      cause: { ...cause, message: 'a\u001b]0;title\u0007b\r\nc\u009b2J\u202e' },
    });
    service.replies = { ...service.replies, workloads: () => ({ value: { items: [malicious] } }) };
    const { out } = await runWithService(['status', 'shop']);
    expect(out).toContain('a\ufffd]0;title\ufffdb c\ufffd2J\ufffd');
  });
});

describe('status --wait', () => {
  const change = (workload: ReturnType<typeof makeWorkload>): Change => ({ type: 'workload', workload });

  test('of a project ends when all workloads are Ready, even if that happens while the connection is lost', async () => {
    let [lists, connections] = [0, 0];
    let disconnect = (): void => undefined;
    service.replies = {
      projects: () => ({ value: { items: [makeProject()] } }),
      workloads: () => {
        if (lists++ > 0) return { value: { items: [makeWorkload('cart'), { ...unready, ready: true }] } };
        setTimeout(disconnect, 50);
        return { value: { items: [makeWorkload('cart'), unready] } };
      },
      deployments: () => ({ value: { items: [] } }),
      changes: () =>
        streamed((response) => {
          connections++;
          disconnect = () => void response.destroy();
        }),
    };
    const { code, err } = await runWithService(['status', 'shop', '--wait']);
    expect(code).toBe(0);
    expect(err).toContain('1 of 2 Ready; PinterestService/search: capacity: Unschedulable');
    expect(connections).toBe(2);
  });

  test('of a workflow ignores removed workloads and others of the project', async () => {
    service.replies = {
      projects: () => ({ value: { items: [makeProject()] } }),
      workloads: () => ({
        value: { items: [unready, makeWorkload('other', { ready: false, artifact: 'shop/other@1' })] },
      }),
      deployments: () => ({ value: { items: [makeDeployment('applying')] } }),
      changes: () =>
        streamed((response) => {
          const { project, target, kind, name } = unready;
          response.write(frame(change({ ...unready, name: 'new' })));
          response.write(frame({ type: 'workloadGone', workload: { project, target, kind, name } }));
          response.write(frame(change({ ...unready, name: 'new', ready: true })));
        }),
    };
    expect((await runWithService(['status', 'shop/search', '--wait'])).code).toBe(0);
  });

  test('prints what is not ready after a timeout, with exit code 5', async () => {
    service.replies = {
      projects: () => ({ value: { items: [makeProject()] } }),
      workloads: () => ({ value: { items: [unready] } }),
      deployments: () => ({ value: { items: [] } }),
      changes: () => streamed((response) => response.flushHeaders()),
    };
    const { code, out, err } = await runWithService(['status', 'shop', '--wait', '--timeout', '5s']);
    expect(code).toBe(5);
    expect(out).toContain('capacity: Unschedulable: no node fits');
    expect(err).toContain('timed out; ');
  });

  test.each([
    ['ready', 0],
    ['failed', 1],
  ] as const)('of a deployment follows it from its first event to its end: %s', async (phase: Phase, code) => {
    let isFinished = false;
    service.replies = {
      deployment: () => ({ value: makeDeployment(isFinished ? phase : 'progressing') }),
      follow: () => {
        isFinished = true;
        return streamed(
          (response) => void response.end(frame(makeEvent(1, 'progressing')) + frame(makeEvent(2, phase))),
        );
      },
    };
    const result = await runWithService(['status', id, '--wait']);
    expect(result.code).toBe(code);
    expect(result.err).toBe(`14:00:01 progressing it is progressing\n14:00:02 ${phase.padEnd(11)} it is ${phase}\n`);
    expect(service.names).toEqual(['deployment', 'follow', 'deployment']);
  });

  test('does not follow a finished deployment', async () => {
    service.replies = { deployment: () => ({ value: makeDeployment('rolledBack') }) };
    expect((await runWithService(['status', id, '--wait'])).code).toBe(1);
    expect(service.names).toEqual(['deployment']);
  });
});

describe('diff', () => {
  const diff = ['diff', 'shop/cart@1.4.2', '--to', 'prod'];

  test('shows fields before and after; --exit-code reports differences', async () => {
    service.replies = { preview: () => ({ value: makePreview() }) };
    const { code, out } = await runWithService(diff);
    expect(code).toBe(0);
    expect(out).toContain('    ~ spec.replicas: 3 → 5\n');
    expect(out).toContain(
      'PinterestService/cart: its pods are replaced\n    because of spec.template.spec.containers[0].image\n    because of RuntimeProfile standard-2 spec.parts[logs]\n',
    );
    expect((await runWithService([...diff, '--exit-code'])).code).toBe(1);
  });

  test('shows that a possibly secret value changes, but not the value', async () => {
    const fields = [{ path: 'spec.template.spec.containers[0].env[0].value' }];
    const changes = [{ kind: 'PinterestService', name: 'cart', change: 'changed', restarts: true, fields } as const];
    service.replies = { preview: () => ({ value: makePreview({}, { changes: [...changes] }) }) };
    const line = '~ spec.template.spec.containers[0].env[0].value: changes; not shown because it may be a secret\n';
    expect((await runWithService(diff)).out).toContain(line);
  });

  test('names the hooks that run before a change', async () => {
    const hooks = ['migrate', 'flags'];
    const changes = [
      {
        kind: 'PinterestService' as const,
        name: 'cart',
        change: 'changed' as const,
        restarts: true,
        hooks,
        fields: [],
      },
    ];
    service.replies = { preview: () => ({ value: makePreview({}, { changes: [...changes] }) }) };
    expect((await runWithService(diff)).out).toContain('hooks before it: migrate, flags\n');
  });

  test('reports that a version changes nothing', async () => {
    const same = makePreview(
      {},
      { changes: [{ kind: 'PinterestService', name: 'cart', change: 'unchanged', restarts: false, fields: [] }] },
    );
    service.replies = { preview: () => ({ value: same }) };
    const { code, out } = await runWithService([...diff, '--exit-code']);
    expect([code, out]).toEqual([0, expect.stringContaining('  1 unchanged\n')]);
    expect(JSON.parse((await runWithService([...diff, '--json'])).out)).toEqual({ preview: same });
  });

  test('exits with code 1 if the version would be rejected, but not for a warning', async () => {
    const problem: DeploymentPreview['problems'][number] = {
      code: 'out-of-range',
      path: ['spec'],
      reason: 'is much',
      remedy: 'ask for less',
    };
    service.replies = { preview: () => ({ value: makePreview({}, { problems: [problem] }) }) };
    expect((await runWithService(diff)).code).toBe(1);
    service.replies = {
      preview: () => ({ value: makePreview({}, { problems: [{ ...problem, severity: 'warning' }] }) }),
    };
    const { code, err } = await runWithService(diff);
    expect([code, err]).toEqual([0, 'warning out-of-range: spec: is much; ask for less\n']);
  });
});

describe('rollback', () => {
  const rollback = ['rollback', 'shop/cart', '--to', 'prod'];
  const otherDigest = `sha256:${'cd'.repeat(32)}`;
  const previous = { version: '1.4.1', digest: otherDigest };
  const rollbackDeployment = makeDeployment('pending', { version: '1.4.1', intent: 'rollBack' });
  const startedAt = '2026-11-21T14:00:00Z';

  test('without a terminal, the service selects the version unless one is named', async () => {
    service.replies = { rollBack: () => ({ value: rollbackDeployment }) };
    const items = [makeDeployment('cancelled', { version: '1.5.0' }), makeDeployment('ready', { startedAt, previous })];
    service.replies = { ...service.replies, deployments: () => ({ value: { items } }) };
    const { code, out, err } = await runWithService(rollback);
    expect([code, out]).toEqual([0, `shop/cart@1.4.1 is starting in prod (${id})\n`]);
    expect(err).toContain('rolling back shop/cart from 1.4.2 to 1.4.1 in prod\n');
    await runWithService([...rollback, '--version', '1.3.9']);
    const bodies = service.requests.filter(({ name }) => name === 'rollBack').map(({ body }) => body);
    expect(bodies).toEqual([
      { project: 'shop', workflow: 'cart', stage: 'prod' },
      { project: 'shop', workflow: 'cart', stage: 'prod', version: '1.3.9' },
    ]);
  });

  test('shows the changes at a terminal and sends the version that it showed', async () => {
    service.replies = {
      deployments: ({ query }) => {
        expect(query).toMatchObject({ project: 'shop', workflow: 'cart', stage: 'prod' });
        return { value: { items: [makeDeployment('cancelled'), makeDeployment('failed', { startedAt, previous })] } };
      },
      preview: ({ body }) => ({ value: makePreview(body as { artifact: string }) }),
      rollBack: () => ({ value: rollbackDeployment }),
    };
    const { out, err } = await runWithService(rollback, { ...atTerminal, stdin: 'yes\n' });
    expect(out).toContain('shop/cart@1.4.1 to prod: it would start now');
    expect(err).toContain('Roll back from 1.4.2 to shop/cart@1.4.1 in prod? [y/N]');
    expect(service.requests.at(-1)?.body).toMatchObject({ version: '1.4.1' });
    expect((await runWithService(rollback, { ...atTerminal, stdin: 'no\n' })).code).toBe(5);
    expect(service.names.filter((name) => name === 'rollBack')).toHaveLength(1);
  });

  test.each<[string, string, readonly Deployment[]]>([
    [
      'a version that was applied again unchanged',
      '1.4.0',
      [
        makeDeployment('ready', { startedAt, previous: { version: '1.4.2', digest: previous.digest } }),
        makeDeployment('ready', { startedAt }),
        makeDeployment('rolledBack', { startedAt, version: '1.5.0', digest: otherDigest }),
        makeDeployment('ready', { startedAt, version: '1.4.0', digest: otherDigest }),
      ],
    ],
    [
      'a version that is already rolling back',
      '1.4.2',
      [
        makeDeployment('progressing', {
          startedAt,
          intent: 'rollBack',
          previous: { version: '1.5.0', digest: otherDigest },
        }),
        makeDeployment('ready', { startedAt, version: '1.5.0', digest: otherDigest }),
      ],
    ],
    [
      'a version that is applied again unchanged and does not become Ready',
      '1.4.0',
      [
        makeDeployment('failed', { startedAt, sequence: 9, previous: { version: '1.4.2', digest: previous.digest } }),
        makeDeployment('ready', { startedAt, sequence: 8 }),
        makeDeployment('ready', { startedAt, sequence: 7, version: '1.4.0', digest: otherDigest }),
      ],
    ],
    [
      'a version with a newer one queued',
      '1.4.2',
      [
        makeDeployment('queued', { sequence: 9, version: '1.5.0', digest: `sha256:${'ef'.repeat(32)}` }),
        makeDeployment('ready', { startedAt, sequence: 8 }),
        makeDeployment('ready', { startedAt, sequence: 7, version: '1.4.0', digest: otherDigest }),
      ],
    ],
    [
      'the later of two versions requested at the same time',
      '1.4.0',
      [
        makeDeployment('ready', { startedAt, sequence: 7, version: '1.4.0', digest: otherDigest }),
        makeDeployment('ready', { startedAt, sequence: 8 }),
      ],
    ],
  ])('at a terminal, rolls back %s to the version that the service would select', async (_, version, items) => {
    service.replies = {
      deployments: () => ({ value: { items } }),
      preview: ({ body }) => ({ value: makePreview(body as { artifact: string }) }),
    };
    await runWithService(rollback, { ...atTerminal, stdin: 'no\n' });
    expect(service.requests.find(({ name }) => name === 'preview')?.body).toMatchObject({
      artifact: `shop/cart@${version}`,
    });
  });

  test('reports an automatic rollback and does not go further back unless asked', async () => {
    const items = [
      makeDeployment('rolledBack', { startedAt, previous }),
      makeDeployment('ready', { version: '1.4.1' }),
    ];
    service.replies = { deployments: () => ({ value: { items } }) };
    const { code, err } = await runWithService(rollback, atTerminal);
    expect([code, err]).toEqual([
      1,
      'pinion: shop/cart@1.4.2 did not become Ready in prod and was already rolled back to 1.4.1; to go back further, pass --version ("pinion history shop/cart --to prod" lists the versions)\n',
    ]);
    expect(service.names).toEqual(['deployments']);
  });

  test('at a terminal, reports that no earlier version was Ready', async () => {
    service.replies = { deployments: () => ({ value: { items: [makeDeployment('ready', { startedAt })] } }) };
    const { code, err } = await runWithService(rollback, atTerminal);
    expect([code, err]).toEqual([1, 'pinion: no previous version was Ready in prod; pass --version\n']);
  });

  test('--wait follows the rollback', async () => {
    service.replies = {
      deployments: () => ({ value: { items: [] } }),
      rollBack: () => ({ value: rollbackDeployment }),
      follow: () => streamed((response) => void response.end(frame(makeEvent(1, 'ready')))),
      deployment: () => ({ value: { ...rollbackDeployment, phase: 'ready' } }),
    };
    const { code, out } = await runWithService([...rollback, '--wait', '-o', 'json']);
    expect([code, (JSON.parse(out) as { deployment: { phase: string } }).deployment.phase]).toEqual([0, 'ready']);
  });
});

describe('history', () => {
  test('lists the newest first, with result, duration and requester', async () => {
    const items = [
      makeDeployment('ready', {
        startedAt: '2026-11-21T14:00:01Z',
        endedAt: '2026-11-21T14:02:11.4Z',
        breakGlass: 'an emergency',
      }),
      makeDeployment('rolledBack', {
        version: '1.4.1',
        intent: 'rollBack',
        requestedAt: '2026-11-20T09:00:00.123Z',
        cause,
      }),
    ];
    service.replies = { deployments: () => ({ value: { items } }) };
    const { code, out } = await runWithService(['history', 'shop/cart', '--to', 'prod']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'WHEN                  STAGE  VERSION  RESULT      DURATION  BY              ID                    NOTE',
      `2026-11-21T14:00:00Z  prod   1.4.2    ready       2m10s     system:ci:shop  ${id}  break-glass`,
      `2026-11-20T09:00:00Z  prod   1.4.1    rolledBack  -         system:ci:shop  ${id}  roll back, Unschedulable`,
      '',
    ]);
    expect(service.requests[0]?.query).toEqual({ project: 'shop', workflow: 'cart', stage: 'prod', limit: 20 });
  });

  test('reports an unknown workflow, and lists the stages of one that was never deployed', async () => {
    const version = {
      ...{ artifact: 'shop/cart@1.4.2', workflow: 'cart', version: '1.4.2', digest: makeDeployment().digest },
      ...{ publishedAt: '2026-11-21T14:00:00Z', stages: ['staging', 'prod'] },
    };
    service.replies = {
      deployments: () => ({ value: { items: [] } }),
      versions: ({ query }) => ({ value: { items: query['workflow'] === 'cart' ? [version] : [] } }),
    };
    expect(await runWithService(['history', 'shop/crat'])).toEqual({
      ...{ code: 1, out: '' },
      err: 'pinion: no workflow shop/crat, or no permission to see it\n',
    });
    expect((await runWithService(['history', 'shop/cart'])).out).toBe('no deployments of shop/cart\n');
    expect(await runWithService(['history', 'shop/cart', '--to', 'prdo'])).toMatchObject({
      ...{ code: 0, err: '' },
      out: 'no deployments of shop/cart to prdo; shop/cart@1.4.2 has the stages staging, prod\n',
    });
  });

  test('lists the requested number, page by page', async () => {
    service.replies = {
      deployments: ({ query }) => ({
        value: { items: Array.from({ length: 900 }, () => makeDeployment('ready')), next: `${query['after'] ?? ''}x` },
      }),
    };
    const { out } = await runWithService(['history', 'shop/cart', '--limit', '1500', '--json']);
    expect((JSON.parse(out) as { deployments: object[] }).deployments).toHaveLength(1500);
    expect(service.requests).toHaveLength(2);
  });
});

test('versions lists the deployable versions of a project or a workflow', async () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const item = {
    artifact: 'shop/cart@1.4.2',
    workflow: 'cart',
    version: '1.4.2',
    digest,
    publishedAt: '2026-11-20T09:00:00.123Z',
    stages: ['staging', 'prod'],
  };
  service.replies = { versions: () => ({ value: { items: [item] } }) };
  const { code, out } = await runWithService(['versions', 'shop/cart']);
  expect([code, out.split('\n')]).toEqual([
    0,
    [
      'PUBLISHED             ARTIFACT         STAGES         CONTENT',
      '2026-11-20T09:00:00Z  shop/cart@1.4.2  staging, prod  sha256:aaaaaaaaaaaa',
      '',
    ],
  ]);
  expect(service.requests[0]).toMatchObject({ query: { workflow: 'cart', limit: 20 } });
  expect((await runWithService(['versions', 'shop', '--json'])).out).toContain(digest);
  expect((await runWithService(['versions', 'shop/cart/x'])).err).toContain(
    '"shop/cart/x" is not a project or workflow; use PROJECT or PROJECT/WORKFLOW, such as shop/cart',
  );
});

test('approve approves one digest for a stage and prints it', async () => {
  const approvedBy = { subject: 'ann@example.com', issuer: 'https://issuer.example.com' };
  const { digest } = makeDeployment();
  service.replies = {
    approve: ({ body }) => ({ value: { ...(body as object), digest, approvedBy, approvedAt: '2026-11-21T14:00:00Z' } }),
  };
  const approve = ['approve', 'shop/cart@1.4.2', '--to', 'prod'];
  expect((await runWithService(approve)).out).toBe(
    `shop/cart@1.4.2 is approved for prod by ann@example.com\n${digest}\n`,
  );
  expect(JSON.parse((await runWithService([...approve, '--json'])).out)).toMatchObject({
    approval: { digest, approvedBy },
  });
});

test('cancel cancels a queued deployment and reports one that has started', async () => {
  service.replies = { cancel: () => ({ value: makeDeployment('cancelled') }) };
  expect(await runWithService(['cancel', id])).toEqual({
    code: 0,
    out: `shop/cart@1.4.2 was canceled before it started in prod (${id})\n`,
    err: '',
  });
  service.replies = { cancel: () => ({ fails: 409, details: { title: 'It has started' } }) };
  expect(await runWithService(['cancel', id])).toMatchObject({ code: 1, err: 'pinion: It has started\n' });
});
