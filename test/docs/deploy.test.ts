import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { type Workflow } from '../../lib/api';
import { type DeploymentPreview, type Phase } from '../../lib/contract';
import { runWithService, service } from '../cli/run-with-service';
import {
  frame,
  id,
  makePreview,
  makeDeployment,
  makeEvent,
  makeProject,
  makeWorkload,
} from '../contract/sample-resources';

const page = readFileSync(join(__dirname, '../../docs/deploy.md'), 'utf8');

/** Command lines of the page with their documented output. */
const shown = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  .map(([, block = '']) => block.replace(/^\$ /, '').trimEnd().split('\n'))
  .filter(([command = '']) => command.startsWith('pinion '))
  .map(([command = '', ...lines]) => ({ argv: command.split(' ').slice(1), lines }));

/** The shared setup of the publishing and deploying pages: shop/web, with production on two clusters. */
const story = { workflow: 'web', stage: 'production' } as const;
const cart = { kind: 'PinterestService', name: 'cart' } as const;
const imageOf = (version: string, hash: string) => `registry.example.com/shop/cart:${version}@sha256:${hash.repeat(4)}`;
const onTarget: Omit<DeploymentPreview['targets'][number], 'target'> = {
  resources: [
    {
      resource: 'requests.cpu',
      requested: '2025m',
      now: '1755m',
      usedByOthers: '11',
      hard: '20',
      available: '9',
      fits: true,
    },
    { resource: 'pods', requested: '15', now: '13', usedByOthers: '20', fits: true },
  ],
  fits: true,
  problems: [],
  changes: [
    {
      ...cart,
      change: 'changed',
      restarts: true,
      causes: ['image', 'readinessProbe'].map((field) => ({
        object: 'PinterestService shop/cart',
        path: `spec.template.spec.containers[app].${field}`,
      })),
      fields: [
        {
          path: 'metadata.annotations["example.com/commit"]',
          from: '9b2c4d60e1f7538ad2c6b094e5a7f81c3d60b25e',
          to: '3f786850e387550fdab836ed7e6dc881de23001b',
        },
        { path: 'spec.replicas', from: 10, to: 12 },
        {
          path: 'spec.template.spec.containers[app].image',
          from: imageOf('1.4.1', '0c77d1e84ab95f23'),
          to: imageOf('1.4.2', '5f1d0c3a9b7e4286'),
        },
        { path: 'spec.template.spec.containers[app].readinessProbe.httpGet.path', to: '/ready' },
        { path: 'spec.template.spec.containers[app].readinessProbe.httpGet.port', to: 8080 },
      ],
    },
    { kind: 'PinterestJobSet', name: 'import', change: 'removed', restarts: false, fields: [] },
  ],
};

/** Events that the service sends for a deployment, with the phases and messages of `lib/submission/engine`. */
const makeEvents = (
  ...events: readonly [at: string, phase: Phase, message: string, target?: string, workload?: typeof cart][]
) =>
  events.map(([at, phase, message, target, workload], index) =>
    makeEvent(index + 1, phase, {
      ...{ at: `2026-11-21T${at}Z`, message },
      ...(target !== undefined && { target }),
      ...(workload && { workload }),
    }),
  );
const eventsForth = makeEvents(
  ['14:00:00', 'pending', 'accepted'],
  ['14:00:01', 'applying', 'started'],
  ['14:00:02', 'progressing', 'applied on prod-1: 1 changed', 'prod-1'],
  ['14:00:20', 'progressing', '9/12 ready', 'prod-1', cart],
  ['14:01:05', 'applying', 'all workloads are Ready on prod-1', 'prod-1'],
  ['14:01:06', 'progressing', 'applied on prod-2: 1 changed', 'prod-2'],
  ['14:01:25', 'progressing', '9/12 ready', 'prod-2', cart],
  ['14:02:11', 'ready', 'all workloads are Ready'],
);
const eventsBack = makeEvents(
  ['14:30:00', 'pending', 'accepted'],
  ['14:30:01', 'applying', 'started'],
  ['14:30:02', 'progressing', 'applied on prod-1: 1 created, 1 changed', 'prod-1'],
  ['14:30:50', 'applying', 'all workloads are Ready on prod-1', 'prod-1'],
  ['14:30:51', 'progressing', 'applied on prod-2: 1 created, 1 changed', 'prod-2'],
  ['14:31:41', 'ready', 'all workloads are Ready'],
);

test('its commands work as written and print what it shows', async () => {
  const digest = `sha256:${'cd'.repeat(32)}`;
  const past = {
    ...{ ...story, version: '1.4.1', intent: 'rollBack' as const, id: '89abcdef0123456789ab', digest },
    ...{ requestedAt: '2026-11-21T14:30:00Z', startedAt: '2026-11-21T14:30:01Z', endedAt: '2026-11-21T14:31:41Z' },
  };
  const back = makeDeployment('ready', past);
  const times = { ...story, startedAt: '2026-11-21T14:00:01Z', endedAt: '2026-11-21T14:02:11Z' };
  const forth = makeDeployment('ready', { ...times, previous: { version: '1.4.1', digest } });
  let newest = forth;
  service.replies = {
    preview: () => ({
      value: makePreview({
        artifact: 'shop/web@1.4.2',
        stage: 'production',
        targets: ['prod-1', 'prod-2'].map((target) => ({ ...onTarget, target })),
      }),
    }),
    deploy: () => ({ value: makeDeployment('pending', story) }),
    follow: () => ({
      stream: (response) => void response.end((newest === back ? eventsBack : eventsForth).map(frame).join('')),
    }),
    deployment: () => ({ value: newest }),
    projects: () => ({ value: { items: [makeProject({ team: 'commerce', stages: ['staging', 'production'] })] } }),
    workloads: () => ({
      value: {
        items: [makeWorkload('cart', { artifact: 'shop/web@1.4.2', stage: 'production', progress: '12/12 ready' })],
      },
    }),
    deployments: () => ({ value: { items: newest === back ? [back, forth] : [forth] } }),
    rollBack: () => {
      newest = back;
      return { value: { ...back, phase: 'pending' } };
    },
  };
  expect(shown.map(({ argv: [verb] }) => verb)).toEqual(['diff', 'deploy', 'status', 'status', 'rollback', 'history']);
  for (const { argv, lines } of shown) {
    const { code, out, err } = await runWithService(argv);
    const printed = `${err}${out}`.trimEnd().split('\n');
    const expected = lines.filter((line) => line !== '…');
    const compared = expected.length < lines.length ? printed.slice(0, expected.length) : printed;
    expect([argv, code, lines.length > 0 ? compared : []]).toEqual([argv, 0, expected]);
  }
  expect(page).toContain(id);
});

test('deploys what the publishing page publishes, to stages of its workflow', () => {
  const root = join(__dirname, '../..');
  const publishing = readFileSync(join(root, 'docs/publish.md'), 'utf8');
  const { spec } = load(readFileSync(join(root, 'examples/publish/web.workflow.yaml'), 'utf8')) as Workflow;
  const referenced = (text: string) => [
    ...new Set([...text.matchAll(/\b[a-z]+\/[a-z]+@1\.4\.2\b/g)].map(([word]) => word)),
  ];
  expect(referenced(page)).toEqual(referenced(publishing));
  const stages = [...page.matchAll(/--to (\S+[a-z])/g)].map(([, stage]) => stage);
  expect(spec.stages.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(stages)]));
  expect(stages).not.toEqual([]);
});
