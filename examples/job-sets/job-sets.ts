/**
 * Five job sets with several jobs, one for each feature: a driver with workers, a start order, success by job, restarts by
 * job, and a topology domain for each Job. The first one becomes native Jobs; the others require the controller, so they
 * are emitted as custom resources.
 */
import { Chart } from 'cdk8s';
import { type Construct } from 'constructs';
import { PinterestJobSet } from '@pinion-platform/pinion';

const project = 'simulation';
const image = 'docker.io/library/busybox:1.37.0';

/** Returns the pods of a job: one container that runs a shell script. */
const script = (name: string, text: string) => ({
  spec: {
    securityContext: { runAsUser: 1000, runAsGroup: 1000 },
    containers: [
      {
        name,
        image,
        command: ['sh', '-ec', text],
        resources: { requests: { cpu: '100m', memory: '32Mi' }, limits: { memory: '64Mi' } },
      },
    ],
  },
});

/** Adds a chart with the job sets. */
export function jobSets(scope: Construct): Chart {
  const chart = new Chart(scope, 'job-sets');
  new PinterestJobSet(chart, 'driver-worker', {
    project,
    coordinator: { job: 'driver' },
    replicatedJobs: [
      { name: 'driver', template: script('driver', 'echo "$PINION_COORDINATOR waits for its workers"; sleep 60') },
      {
        name: 'workers',
        replicas: 2,
        shards: 4,
        template: script(
          'worker',
          'echo "$PINION_REPLICA_INDEX/$PINION_SHARD_INDEX asks $PINION_COORDINATOR"; sleep 30',
        ),
      },
    ],
  });
  new PinterestJobSet(chart, 'start-order', {
    project,
    emit: 'resource',
    replicatedJobs: [
      { name: 'prepare', template: script('prepare', 'echo "prepares the input"; sleep 10') },
      {
        name: 'driver',
        dependsOn: [{ name: 'prepare', status: 'Complete' }],
        template: script('driver', 'echo "listens"; sleep 60'),
      },
      {
        name: 'workers',
        shards: 4,
        dependsOn: [{ name: 'driver', status: 'Ready' }],
        template: script('worker', 'echo "connects to the driver"; sleep 30'),
      },
    ],
  });
  new PinterestJobSet(chart, 'success-policy', {
    project,
    emit: 'resource',
    successPolicy: { operator: 'All', jobs: ['workers'] },
    replicatedJobs: [
      { name: 'leader', template: script('leader', 'echo "serves until the workers have finished"; sleep 86400') },
      { name: 'workers', shards: 2, template: script('worker', 'sleep 10') },
    ],
  });
  new PinterestJobSet(chart, 'failure-policy', {
    project,
    emit: 'resource',
    retries: 0,
    failurePolicy: {
      maxRestarts: 3,
      rules: [
        { action: 'FailJobSet', jobs: ['leader'], reasons: ['PodFailurePolicy'] },
        { action: 'RestartJobSetAndIgnoreMaxRestarts', jobs: ['leader'] },
      ],
    },
    replicatedJobs: [
      {
        name: 'leader',
        // Exit code 42 means that another attempt would fail alike.
        podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
        template: script('leader', 'sleep 120'),
      },
      { name: 'workers', shards: 2, maxFailedShards: 0, template: script('worker', 'sleep 60') },
    ],
  });
  new PinterestJobSet(chart, 'exclusive-placement', {
    project,
    emit: 'resource',
    failurePolicy: { maxRestarts: 3 },
    replicatedJobs: [
      {
        name: 'workers',
        replicas: 3,
        shards: 2,
        exclusiveTopology: 'topology.kubernetes.io/zone',
        template: script('worker', 'echo "has its zone to itself"; sleep 600'),
      },
    ],
  });
  return chart;
}
