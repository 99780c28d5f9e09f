import {
  type Approval,
  type ApprovalRequest,
  type Deployment,
  type DeploymentDiff,
  type DeploymentPreview,
  type DeployRequest,
  type OperationName,
  type ProblemDetails,
  type RollBackRequest,
} from '../../lib/contract';
import { idOf, makeDeployment, type SampleData } from './sample-data';

/** An error response. */
export class ErrorResponse extends Error {
  constructor(readonly failure: ProblemDetails) {
    super(failure.title);
  }
}

/** Contents of a request, parsed by the contract. */
export interface RequestInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly body: unknown;
}

/** The version whose content the store has deleted. */
const deletedVersion = '1.4.0';

const notFound = (subject: string): ErrorResponse =>
  new ErrorResponse({
    type: 'about:blank',
    title: `${subject} not found`,
    status: 404,
    detail: 'It does not exist, or you are not a member of its project.',
  });

/** Responses of the fake service, one for each operation that does not stream. */
export const fakeResponses: Readonly<
  Record<Exclude<OperationName, 'follow' | 'changes'>, (sample: SampleData, asked: RequestInput) => unknown>
> = {
  me: ({ caller }) => caller,
  projects: ({ projects }, { query }) => page(projects, query),
  clients: ({ clients }, { query }) => page(clients, query),
  rollouts: ({ rollouts }, { query }) => page(rollouts, query),
  workloads: ({ workloads }, { query }) => page(workloads, query),
  workload: ({ workloads }, { params }) => {
    const found = workloads.find(
      ({ project, target, kind, name }) =>
        project === params['project'] &&
        target === params['target'] &&
        kind === params['kind'] &&
        name === params['name'],
    );
    if (!found) throw notFound('Workload');
    return {
      ...found,
      children: {
        [`Deployment/${found.name}`]: found.ready ? '3 of 3 replicas are ready' : '1 of 3 replicas is ready',
        [`Service/${found.name}`]: 'has 3 endpoints',
        [`PodDisruptionBudget/${found.name}`]: 'allows 1 disruption',
      },
      hosts: [`${found.name}.example.com`],
      revision: {
        name: 'rev-41aa00ff93',
        current: 'rev-5d0c1b2a3f',
        move: { rollout: 'rollout-5d0c1b2a3f', to: 'rev-5d0c1b2a3f', state: 'waiting' },
      },
      spec: {
        replicas: 3,
        template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1.4.2' }] } },
      },
    };
  },
  versions: ({ versions }, { params, query }) =>
    page(
      versions.filter(({ artifact }) => artifact.startsWith(`${params['project']}/`)),
      query,
    ),
  preview: (sample, { body }) => preview(sample, body as DeployRequest),
  deploy: (sample, { body }) => {
    const { artifact, stage, breakGlass } = body as DeployRequest;
    const [, project = '', workflow = '', version = ''] = /^(.+)\/(.+)@(.+)$/.exec(artifact) ?? [];
    return begin(sample, { project, workflow, version, stage, ...(breakGlass !== undefined && { breakGlass }) });
  },
  rollBack: (sample, { body }) => {
    const { project, workflow, stage, version = '1.4.1' } = body as RollBackRequest;
    return begin(sample, { project, workflow, version, stage, intent: 'rollBack' });
  },
  cancel: (sample, { params }) => {
    const index = sample.deployments.findIndex(({ id }) => id === params['id']);
    const found = sample.deployments[index];
    if (!found) throw notFound('Deployment');
    const { cause: _cause, ...rest } = found;
    const cancelled: Deployment = { ...rest, phase: 'cancelled', endedAt: new Date().toISOString() };
    sample.deployments[index] = cancelled;
    return cancelled;
  },
  approve: ({ caller }, { body }): Approval => ({
    ...(body as ApprovalRequest),
    digest: `sha256:${'a'.repeat(64)}`,
    approvedBy: { subject: caller.subject, issuer: caller.issuer },
    approvedAt: new Date().toISOString(),
  }),
  deployments: ({ deployments }, { query }) =>
    page(
      deployments.filter((one) =>
        (['project', 'workflow', 'stage'] as const).every(
          (name) => query[name] === undefined || one[name] === query[name],
        ),
      ),
      query,
    ),
  deployment: ({ deployments }, { params }) => {
    const found = deployments.find(({ id }) => id === params['id']);
    if (!found) throw notFound('Deployment');
    return found;
  },
  diff: ({ deployments }, { params }): DeploymentDiff => {
    const found = deployments.find(({ id }) => id === params['id']);
    if (found?.startedAt === undefined) throw notFound('Deployment');
    const { project, workflow, version, previous } = found;
    if (version === deletedVersion)
      throw new ErrorResponse({
        type: 'about:blank',
        title: 'The artifact is no longer available',
        status: 404,
        detail: `${project}/${workflow}@${version} is no longer in the artifact store, or has no stage prod there`,
      });
    const changes = changesTo(version, 4).map(({ restarts: _restarts, ...change }) => change);
    return { ...(previous && { previous: `${project}/${workflow}@${previous.version}` }), changes };
  },
};

function page<T>(all: readonly T[], { limit = 100, after }: RequestInput['query']) {
  const from = Number(after ?? 0);
  const end = from + Number(limit);
  return { items: all.slice(from, end), ...(end < all.length && { next: String(end) }) };
}

function begin(sample: SampleData, given: Partial<Deployment>): Deployment {
  const { startedAt: _startedAt, endedAt: _endedAt, ...template } = makeDeployment(sample.deployments.length + 1);
  const deployment: Deployment = {
    ...template,
    id: idOf(sample.deployments.length + 1),
    requestedAt: new Date().toISOString(),
    ...given,
    phase: 'pending',
    targets: template.targets.map((target) => ({
      ...target,
      phase: 'waiting',
      workloads: target.workloads.map(({ kind, name, change }) => ({
        kind,
        name,
        change,
        applied: false,
        ready: false,
      })),
    })),
  };
  sample.deployments.unshift(deployment);
  sample.events.set(deployment.id, [
    { number: 1, at: deployment.requestedAt, phase: 'pending', message: `Requested by ${sample.caller.subject}.` },
  ]);
  return deployment;
}

const untrusted = (artifact: string): ErrorResponse =>
  new ErrorResponse({
    type: 'about:blank',
    title: 'The stage does not accept this artifact',
    status: 403,
    problems: [
      {
        code: 'untrusted-artifact',
        path: ['spec', 'stages'],
        value: artifact,
        reason: 'was published by commerce/cart at refs/heads/hotfix (https://ci.example.com)',
        remedy: 'deploy an artifact of a trusted publisher of the stage, or add its CI identity to the Project',
        object: 'Project shop on use1-prod',
      },
    ],
  });

/** Version 1.5.0 exceeds the quota, 1.4.0 is not trusted in prod, all others fit. */
function preview({ versions }: SampleData, { artifact, stage, breakGlass }: DeployRequest): DeploymentPreview {
  const found = versions.find((version) => version.artifact === artifact);
  if (!found) throw notFound('Version');
  const exceedsQuota = found.version === '1.5.0';
  if (found.version === '1.4.0' && stage === 'prod' && breakGlass === undefined) throw untrusted(artifact);
  return {
    artifact,
    digest: found.digest,
    stage,
    decision: exceedsQuota ? 'refuse' : 'accept',
    problems: [],
    targets: ['use1-prod', 'usw2-prod'].map((target) => ({
      target,
      resources: [
        {
          resource: 'requests.cpu',
          requested: exceedsQuota ? '40' : '12',
          now: '9',
          usedByOthers: '76',
          hard: '100',
          available: '24',
          fits: !exceedsQuota,
        },
        {
          resource: 'requests.memory',
          requested: '48Gi',
          now: '36Gi',
          usedByOthers: '160Gi',
          hard: '400Gi',
          available: '240Gi',
          fits: true,
        },
        { resource: 'pods', requested: '8', now: '6', usedByOthers: '206', fits: true },
      ],
      fits: !exceedsQuota,
      ...(exceedsQuota && { nearestFit: '7 replicas instead of 13 fit, as do 13 with 1800m CPU each.' }),
      changes: changesTo(found.version, exceedsQuota ? 13 : 4),
      problems: [],
    })),
  };
}

const changesTo = (version: string, replicas: number): DeploymentPreview['targets'][number]['changes'] => [
  {
    kind: 'PinterestService',
    name: 'cart',
    change: 'changed',
    restarts: true,
    fields: [
      { path: 'spec.replicas', from: 3, to: replicas },
      {
        path: 'spec.template.spec.containers[app].image',
        from: 'registry.example.com/cart:1.4.2',
        to: `registry.example.com/cart:${version}`,
      },
      { path: 'spec.template.spec.containers[app].env[API_KEY].value' },
      { path: 'spec.autoscaling.max', to: 6 },
    ],
  },
  { kind: 'PinterestCronJob', name: 'cart-sweep', change: 'unchanged', restarts: false, fields: [] },
  { kind: 'PinterestJobSet', name: 'cart-backfill', change: 'removed', restarts: false, fields: [] },
];
