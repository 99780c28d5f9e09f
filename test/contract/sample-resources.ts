import {
  type Change,
  type DeploymentPreview,
  type Deployment,
  type DeploymentEvent,
  type Phase,
  type ProjectView,
  type WorkloadView,
} from '../../lib/contract';

export const id = '0123456789abcdef0123';
const digest = `sha256:${'ab'.repeat(32)}`;
const ci = { subject: 'system:ci:shop', issuer: 'https://issuer.example.com' };

/** A deployment of shop/cart@1.4.2 to prod. */
export const makeDeployment = (phase: Phase = 'applying', over: Partial<Deployment> = {}): Deployment => ({
  id,
  project: 'shop',
  workflow: 'cart',
  version: '1.4.2',
  digest,
  stage: 'prod',
  intent: 'deploy',
  sequence: 7,
  phase,
  requestedBy: ci,
  requestedAt: '2026-11-21T14:00:00Z',
  targets: [],
  ...over,
});

/** An event of the deployment. */
export const makeEvent = (number: number, phase: Phase, over: Partial<DeploymentEvent> = {}): DeploymentEvent => ({
  number,
  at: `2026-11-21T14:00:${String(number % 60).padStart(2, '0')}Z`,
  phase,
  message: `it is ${phase}`,
  ...over,
});

/** A preview of the deployment: one changed workload on one cluster, and CPU within the quota. */
export const makePreview = (
  over: Partial<DeploymentPreview> = {},
  target: Partial<DeploymentPreview['targets'][number]> = {},
): DeploymentPreview => ({
  artifact: 'shop/cart@1.4.2',
  digest,
  stage: 'prod',
  decision: 'accept',
  problems: [],
  targets: [
    {
      target: 'prod-1',
      resources: [
        {
          resource: 'requests.cpu',
          requested: '5',
          now: '3',
          usedByOthers: '11',
          hard: '20',
          available: '9',
          fits: true,
        },
        { resource: 'pods', requested: '6', now: '4', usedByOthers: '20', fits: true },
      ],
      fits: true,
      changes: [
        {
          kind: 'PinterestService',
          name: 'cart',
          change: 'changed',
          restarts: true,
          causes: [
            { object: 'PinterestService shop/cart', path: 'spec.template.spec.containers[0].image' },
            { object: 'RuntimeProfile standard-2', path: 'spec.parts[logs]' },
          ],
          fields: [
            { path: 'spec.replicas', from: 3, to: 5 },
            { path: 'spec.template.spec.containers[0].image', from: 'cart:1.4.1', to: 'cart:1.4.2' },
            { path: 'spec.loadBalancer', to: { port: 80 } },
          ],
        },
        { kind: 'PinterestCronJob', name: 'sweep', change: 'unchanged', restarts: false, fields: [] },
        { kind: 'PinterestJobSet', name: 'old', change: 'removed', restarts: false, fields: [] },
      ],
      problems: [],
      ...target,
    },
  ],
  ...over,
});

/** A workload of the project shop. */
export const makeWorkload = (name: string, over: Partial<WorkloadView> = {}): WorkloadView => ({
  project: 'shop',
  target: 'prod-1',
  kind: 'PinterestService',
  name,
  phase: 'Ready',
  ready: true,
  progress: '3/3 ready',
  artifact: 'shop/cart@1.4.2',
  stage: 'prod',
  links: {},
  ...over,
});

/** The project shop on one cluster. */
export const makeProject = (over: Partial<ProjectView> = {}): ProjectView => ({
  name: 'shop',
  target: 'prod-1',
  team: 'carts',
  links: {},
  role: 'edit',
  stages: ['staging', 'prod'],
  quota: [
    { resource: 'requests.cpu', hard: '20', used: '11', promised: '16', level: 'filling', fullOn: '2026-12-24' },
    { resource: 'pods', hard: '100', used: '24', promised: '30', level: 'ok' },
  ],
  workloads: 3,
  notReady: 1,
  ...over,
});

/** Returns an event or a change in the format of a stream. */
export const frame = (data: DeploymentEvent | Change): string =>
  `${'number' in data ? `id: ${data.number}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
