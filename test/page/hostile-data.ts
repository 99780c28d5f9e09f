import { type ClusterRolloutsView, type DeploymentEvent } from '../../lib/contract';
import { makeDeployment, makeSampleData, type SampleData } from './sample-data';

/** Text that would run a script, reverse the text around it, or exceed any layout. */
export const hostileText = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>"'&\u202Eevil\u0007 ${'long'.repeat(400)}`;

/** Names have a format that the contract enforces, but may be long. */
const longName = 'long'.repeat(50);

const hostileLinks = {
  [hostileText]: 'javascript:window.hacked=1',
  Page: hostileText,
  Data: 'data:text/html,<script>1</script>',
};
const cause = { owner: 'application', reason: hostileText, message: hostileText, object: hostileText } as const;

/** Returns rollouts with such a string in every field that allows it. */
function hostileRollouts({ current, recent, ...cluster }: ClusterRolloutsView): ClusterRolloutsView {
  const names = { revision: longName, reason: hostileText };
  return {
    ...{ ...cluster, completed: longName },
    ...(current && {
      current: {
        ...{ ...current, ...names, rollbackOf: longName, wave: hostileText },
        ...{ message: hostileText, nextStep: hostileText },
        emergency: { reason: hostileText, until: current.started ?? '', active: true },
        rollback: { name: longName, phase: 'Paused' },
        cause: {
          ...{ name: longName, reason: hostileText, message: hostileText },
          failed: { listed: current.failed.listed.map((one) => ({ ...one, message: hostileText })), hidden: 1_000_000 },
        },
        waves: current.waves.map((wave) => ({ ...wave, name: hostileText })),
        transit: {
          listed: current.transit.listed.map((one) => ({ ...one, name: longName, wave: hostileText })),
          hidden: 1_000_000,
        },
        failed: { listed: current.failed.listed.map((one) => ({ ...one, message: hostileText })), hidden: 0 },
      },
    }),
    recent: recent.map((one) => ({ ...one, ...names, rollbackOf: longName })),
  };
}

/** Returns sample data with such a string in every field that allows it. */
export function makeHostileData(): SampleData {
  const sample = makeSampleData(20);
  const [project] = sample.projects;
  if (!project) throw new Error('the sample is empty');
  const workloads = sample.workloads.map((workload) => ({
    ...workload,
    name: `${workload.name}-${longName}`.slice(0, 253),
    phase: hostileText,
    ready: false,
    progress: hostileText,
    cause,
    stage: hostileText,
    links: hostileLinks,
  }));
  const requestedBy = { subject: hostileText, issuer: hostileText };
  const deployment = makeDeployment(1, {
    requestedBy,
    phase: 'failed',
    commit: hostileText,
    review: 'javascript:window.hacked=1',
    breakGlass: hostileText,
    cause,
    targets: [
      {
        name: 'use1-prod',
        phase: 'failed',
        workloads: [
          {
            kind: 'PinterestService',
            name: longName,
            change: 'changed',
            applied: true,
            ready: false,
            progress: hostileText,
            cause,
          },
        ],
      },
    ],
  });
  const event: DeploymentEvent = {
    number: 1,
    at: deployment.requestedAt,
    phase: 'failed',
    message: hostileText,
    cause,
  };
  return {
    ...sample,
    caller: { ...sample.caller, subject: hostileText, issuer: hostileText },
    projects: [
      {
        ...project,
        team: hostileText,
        onCall: hostileText,
        links: hostileLinks,
        quota: [
          {
            resource: hostileText,
            hard: hostileText,
            used: hostileText,
            promised: hostileText,
            level: 'full',
            fullOn: hostileText,
          },
        ],
      },
    ],
    rollouts: sample.rollouts.map(hostileRollouts),
    workloads,
    deployments: [deployment],
    events: new Map([[deployment.id, [event]]]),
  };
}
