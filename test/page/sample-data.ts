import {
  type Caller,
  type Cause,
  type ClusterRolloutsView,
  type Deployment,
  type DeploymentEvent,
  type ProjectClientsView,
  type ProjectView,
  type VersionView,
  type WorkloadView,
} from '../../lib/contract';
import { sampleRollouts } from './sample-rollouts';

/** Data of the fake service. */
export interface SampleData {
  readonly caller: Caller;
  readonly projects: ProjectView[];
  readonly clients: ProjectClientsView[];
  readonly rollouts: ClusterRolloutsView[];
  readonly workloads: WorkloadView[];
  readonly versions: VersionView[];
  readonly deployments: Deployment[];
  readonly events: Map<string, DeploymentEvent[]>;
}

const kinds = [
  'PinterestService',
  'PinterestService',
  'PinterestCronJob',
  'PinterestService',
  'PinterestJobSet',
  'PinterestStatefulSet',
  'PinterestDaemon',
  'PinterestTrainingJob',
] as const;
const names = [
  'cart',
  'checkout',
  'search',
  'ranker',
  'feed',
  'thumbs',
  'ledger',
  'mailer',
  'index-builder',
  'abuse-scorer',
];
const causes: readonly Cause[] = [
  {
    owner: 'application',
    reason: 'CrashLoopBackOff',
    message: 'Container app exits with code 1 soon after it starts; read its log: kubectl logs cart-7d4b9-x2x5p.',
    object: 'Pod/cart-7d4b9-x2x5p',
  },
  {
    owner: 'quota',
    reason: 'QuotaExceeded',
    message:
      'Four more pods request 8 cores, but only 3.5 of the quota are available. Ask the owner of the project for more.',
  },
  {
    owner: 'capacity',
    reason: 'Unschedulable',
    message: 'No node has 4 GPUs free; the group gpu-large is at its maximum size.',
    object: 'Pod/ranker-0',
  },
  {
    owner: 'platform',
    reason: 'SidecarNotReady',
    message: 'The sidecar of the mesh does not start on node ip-10-0-3-17.',
  },
];

/** Current time of the sample. */
export const sampleNow = Date.parse('2026-11-21T18:00:00Z');

const timestamp = (minutesAgo: number): string => new Date(sampleNow - minutesAgo * 60_000).toISOString();
const digest = (number: number): string => `sha256:${number.toString(16).padStart(4, '0').repeat(16)}`;
/** Identifier of the nth deployment. */
export const idOf = (number: number): string => number.toString(16).padStart(20, '0');

/** Creates sample data with the given number of workloads in four projects on two clusters. */
export function makeSampleData(size = 60): SampleData {
  const projects = ['shop', 'search', 'ads', 'media'].flatMap((name, index) =>
    ['use1-prod', 'usw2-prod'].map((target) => project(name, target, index)),
  );
  const workloads = Array.from({ length: size }, (_, number) => workload(number, projects));
  for (const one of projects) {
    const own = workloads.filter(({ project: name, target }) => name === one.name && target === one.target);
    one.workloads = own.length;
    one.notReady = own.filter(({ ready }) => !ready).length;
  }
  const deployments = sampleDeployments();
  return {
    caller: { subject: 'ada@example.com', issuer: 'https://login.example.com', kind: 'User', groups: ['shop-team'] },
    projects,
    clients: projects.map(clientsOf),
    rollouts: sampleRollouts(timestamp),
    workloads,
    versions: ['1.5.0', '1.4.2', '1.4.1', '1.4.0'].map((version, index) => ({
      artifact: `shop/cart@${version}`,
      workflow: 'cart',
      version,
      digest: digest(100 - index),
      publishedAt: timestamp(30 + index * 1500),
      stages: ['staging', 'prod'],
    })),
    deployments,
    events: new Map(deployments.map((one) => [one.id, eventsOf(one)])),
  };
}

function project(name: string, target: string, index: number): ProjectView {
  const levels = ['ok', 'filling', 'nearly-full', 'full'] as const;
  const used = ['38400m', '71', '91500m', '100'][index] ?? '1';
  return {
    name,
    target,
    team: `${name}-team`,
    onCall: `#${name}-oncall`,
    links: { Dashboard: `https://dash.example.com/${name}`, Runbook: `https://wiki.example.com/${name}/runbook` },
    role: (['admin', 'edit', 'view', 'edit'] as const)[index] ?? 'view',
    stages: [],
    quota: [
      {
        resource: 'requests.cpu',
        hard: '100',
        used,
        promised: ['52', '83500m', '97', '100'][index] ?? '1',
        level: levels[index] ?? 'ok',
        ...(index > 0 && { fullOn: ['', '2027-01-14', '2026-12-02', '2026-11-20'][index] ?? '' }),
      },
      { resource: 'requests.memory', hard: '400Gi', used: '148Gi', promised: '212Gi', level: 'ok' },
      { resource: 'pods', hard: '500', used: '214', promised: '268', level: 'ok' },
    ],
    workloads: 0,
    notReady: 0,
  };
}

/** Returns the clients of a project; one of them polls, and those of the first project grow. */
function clientsOf({ name, target, team, onCall }: ProjectView, index: number): ProjectClientsView {
  const trend = { requests: 42_000 / (index + 1), errors: 12, bytes: 5e8, seatSeconds: 900 / (index + 1) };
  const account = `system:serviceaccount:${name}:reader`;
  const growth = index === 0 ? { requestGrowth: 0.42, costGrowth: -0.2 } : {};
  const client = { account, program: 'reader', mostly: 'list pods', ...trend, ...growth };
  const message = `project ${name}: ${account} (reader) polled pods; on call: ${onCall ?? ''}; watch the object instead`;
  return {
    ...{ project: name, target, team, total: trend, clients: [client] },
    ...(onCall !== undefined && { onCall }),
    violations: index === 0 ? [{ practice: 'Polling', account, program: 'reader', message }] : [],
    budget:
      index === 0
        ? [{ field: 'requestsPerSecond', limit: '200', used: '189', level: 'nearly-full', fullOn: '2026-12-24' }]
        : [],
  };
}

function workload(number: number, projects: readonly ProjectView[]): WorkloadView {
  const { name: projectName = 'shop', target = 'use1-prod' } = projects[number % projects.length] ?? {};
  const name = names[number % names.length] ?? 'app';
  const cause = number % 17 === 3 ? causes[Math.floor(number / 17) % causes.length] : undefined;
  return {
    project: projectName,
    target,
    kind: kinds[number % kinds.length] ?? 'PinterestService',
    name: number < names.length ? name : `${name}-${number}`,
    phase: cause ? 'Degraded' : 'Ready',
    ready: cause === undefined,
    progress: cause ? '1/3 ready' : '3/3 ready',
    ...(cause && { cause }),
    ...(number % 5 !== 4 && { artifact: `${projectName}/${name}@1.4.${number % 4}`, stage: 'prod' }),
    since: timestamp(3 + ((number * 37) % 9000)),
    links: { Dashboard: `https://dash.example.com/${projectName}/${name}` },
  };
}

/** Creates a deployment of the workflow cart with the given changes. */
export function makeDeployment(number: number, overrides: Partial<Deployment> = {}): Deployment {
  return {
    id: idOf(number),
    project: 'shop',
    workflow: 'cart',
    version: '1.4.2',
    digest: digest(99),
    stage: 'prod',
    intent: 'deploy',
    sequence: number,
    phase: 'ready',
    requestedBy: { subject: 'ada@example.com', issuer: 'https://login.example.com' },
    requestedAt: timestamp(200 - number * 10),
    startedAt: timestamp(200 - number * 10 - 0.1),
    endedAt: timestamp(200 - number * 10 - 2.4),
    commit: '4c326f9c0ffee000000000000000000000000123',
    review: 'https://review.example.com/D12345',
    previous: { version: '1.4.1', digest: digest(98) },
    targets: ['use1-prod', 'usw2-prod'].map((name) => ({
      name,
      phase: 'ready',
      workloads: [
        {
          kind: 'PinterestService',
          name: 'cart',
          change: 'changed',
          applied: true,
          ready: true,
          progress: '3/3 ready',
        },
        { kind: 'PinterestCronJob', name: 'cart-sweep', change: 'unchanged', applied: true, ready: true },
      ],
    })),
    ...overrides,
  };
}

function sampleDeployments(): Deployment[] {
  const [crash, quota] = causes;
  return [
    makeDeployment(1, { version: '1.4.0', digest: digest(97) }),
    makeDeployment(2, { version: '1.4.1', digest: digest(98), previous: { version: '1.4.0', digest: digest(97) } }),
    makeDeployment(3),
    makeDeployment(4, {
      version: '1.5.0',
      digest: digest(100),
      phase: 'rolledBack',
      ...(crash && { cause: crash }),
      breakGlass: 'Payments fail for one in ten buyers; the fix cannot wait for the publisher.',
      previous: { version: '1.4.2', digest: digest(99) },
    }),
    inProgress(makeDeployment(5, { workflow: 'checkout', version: '2.0.1', phase: 'progressing' })),
    inProgress(
      makeDeployment(6, {
        workflow: 'batch',
        version: '0.9.3',
        phase: 'queued',
        targets: [],
        ...(quota && { cause: quota }),
      }),
    ),
  ].reverse();
}

function inProgress(deployment: Deployment): Deployment {
  const { endedAt: _endedAt, startedAt, ...rest } = deployment;
  const targets: Deployment['targets'] = deployment.targets.map((target, index) => ({
    ...target,
    phase: index === 0 ? 'progressing' : 'waiting',
    workloads: target.workloads.map((workload) => ({
      ...workload,
      applied: index === 0,
      ready: false,
      progress: '1/3 ready',
    })),
  }));
  return { ...rest, ...(rest.phase !== 'queued' && startedAt !== undefined && { startedAt }), targets };
}

function eventsOf({ phase, requestedAt, targets, cause }: Deployment): DeploymentEvent[] {
  const later = (seconds: number): string => new Date(Date.parse(requestedAt) + seconds * 1000).toISOString();
  const first: DeploymentEvent[] = [
    { number: 1, at: later(0), phase: 'pending', message: 'Requested by ada@example.com.' },
  ];
  if (phase === 'queued')
    return [...first, { number: 2, at: later(1), phase, message: 'Waiting for capacity.', ...(cause && { cause }) }];
  const target = targets[0]?.name ?? 'use1-prod';
  const workload = { kind: 'PinterestService', name: 'cart' } as const;
  const started: DeploymentEvent[] = [
    ...first,
    { number: 2, at: later(1), phase: 'applying', target, workload, message: 'Applied.' },
    { number: 3, at: later(2), phase: 'progressing', target, workload, message: '1 of 3 pods are ready.' },
  ];
  if (phase === 'progressing') return started;
  return [...started, { number: 4, at: later(144), phase, message: 'It has finished.', ...(cause && { cause }) }];
}
