import {
  type Caller,
  type DeploymentPreview,
  type Deployment,
  type DeploymentEvent,
  type Page,
} from '../../../lib/contract';
import { type SubmissionService } from '../../../lib/submission/service';

export const digest = `sha256:${'ab'.repeat(32)}`;
export const deploymentId = '0123456789abcdef0123';

/** A deployment as an engine would return it. */
export const deployment: Deployment = {
  id: deploymentId,
  project: 'shop',
  workflow: 'cart',
  version: '1.4.2',
  digest,
  stage: 'prod',
  intent: 'deploy',
  sequence: 7,
  phase: 'applying',
  requestedBy: { subject: 'ana', issuer: 'https://login.example.com' },
  requestedAt: '2026-11-02T09:00:00Z',
  targets: [{ name: 'blue', phase: 'applying', workloads: [] }],
};

export const preview: DeploymentPreview = {
  artifact: 'shop/cart@1.4.2',
  digest,
  stage: 'prod',
  decision: 'refuse',
  problems: [],
  targets: [
    {
      target: 'blue',
      resources: [
        {
          resource: 'requests.cpu',
          requested: '6',
          now: '2',
          usedByOthers: '1',
          hard: '5',
          available: '4',
          fits: false,
        },
      ],
      fits: false,
      changes: [],
      problems: [],
    },
  ],
};

export const event = (number: number): DeploymentEvent => ({
  number,
  at: '2026-11-02T09:00:00Z',
  phase: 'applying',
  message: `step ${number}`,
});

/** A call of the service, with its arguments. */
export type Recorded = readonly [name: keyof SubmissionService, ...args: readonly unknown[]];

/** Records its calls, and returns responses valid by the contract; a test overrides some of them. */
export class RecordingService implements SubmissionService {
  readonly calls: Recorded[] = [];
  /** Reason why it is not ready. */
  reason: string | undefined;

  constructor(private readonly overrides: Partial<SubmissionService> = {}) {}

  projects = this.#method('projects', async () => page());
  clients = this.#method('clients', async () => page());
  rollouts = this.#method('rollouts', async () => page());
  workloads = this.#method('workloads', async () => page());
  workload = this.#method('workload', async (_: Caller, which) => ({
    project: which.project,
    target: which.target,
    kind: 'PinterestService' as const,
    name: which.name,
    ready: true,
    links: {},
    children: {},
    hosts: [],
    spec: { replicas: 2 },
  }));
  versions = this.#method('versions', async () => page());
  preview = this.#method('preview', async () => preview);
  deploy = this.#method('deploy', async () => deployment);
  rollBack = this.#method('rollBack', async () => ({ ...deployment, intent: 'rollBack' as const }));
  cancel = this.#method('cancel', async () => ({ ...deployment, phase: 'cancelled' as const }));
  approve = this.#method('approve', async (caller, request) => ({
    ...request,
    digest,
    approvedBy: { subject: caller.subject, issuer: caller.issuer },
    approvedAt: '2026-11-02T09:00:00Z',
  }));
  deployments = this.#method('deployments', async () => ({ items: [deployment], next: 'more' }));
  deployment = this.#method('deployment', async () => deployment);
  diff = this.#method('diff', async () => ({ previous: 'shop/cart@1.4.1', changes: [] }));
  follow = this.#method('follow', async (_caller, _id, after) => events(after));
  changes = this.#method('changes', async (_caller, _which, { signal }) => untilAborted(signal));
  /** Projects of each caller. */
  members: Readonly<Record<string, readonly string[]>> = {};
  projectsOf = ({ subject }: Caller): readonly string[] => this.members[subject] ?? ['shop'];
  unready = (): string | undefined => this.reason;

  /** Names of the called methods. */
  get names(): readonly string[] {
    return this.calls.map(([name]) => name);
  }

  #method<N extends Exclude<keyof SubmissionService, 'unready' | 'projectsOf'>>(
    name: N,
    defaultMethod: SubmissionService[N],
  ): SubmissionService[N] {
    const recorded = (...args: unknown[]): unknown => {
      this.calls.push([name, ...args]);
      const method = (this.overrides[name] ?? defaultMethod) as (...args: unknown[]) => unknown;
      return method(...args);
    };
    return recorded as SubmissionService[N];
  }
}

const page = <T>(): Page<T> => ({ items: [] });

async function* events(after: number): AsyncIterable<DeploymentEvent> {
  for (let number = after + 1; number <= 3; number++) yield event(number);
}

/** A stream without events that ends when its reader disconnects. */
export async function* untilAborted(signal: AbortSignal): AsyncIterable<never> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
