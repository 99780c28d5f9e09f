import { apiVersion, type ManifestInput, parseManifest } from '../../../lib/api';
import { expand, resolvePlatform } from '../../../lib/expand';
import { type SendableObject } from '../../control-plane/client';
import { podBehavior } from '../../control-plane/pod-behavior';
import { barePlatform } from '../../local/bare-platform';
import { longRunningTemplate } from '../controlled-pods';
import { fatalExitCode, type GeneratedJob, type GeneratedSet } from './generated-set';

type Job = NonNullable<ManifestInput<'PinterestJobSet'>['spec']['replicatedJobs']>[number];

/** Deadline of Jobs that exceed it. */
const deadline = '4s';

/** Returns a set as pinion's workload. */
export function pinionManifest(set: GeneratedSet, namespace: string): ManifestInput<'PinterestJobSet'> {
  const { name, jobs, successPolicy, failurePolicy, suspend } = set;
  return {
    apiVersion,
    kind: 'PinterestJobSet',
    metadata: { name, namespace },
    spec: {
      ...(suspend && { suspend }),
      ...(successPolicy && { successPolicy: { ...successPolicy, jobs: copy(successPolicy.jobs) } }),
      ...(failurePolicy && {
        failurePolicy: {
          maxRestarts: failurePolicy.maxRestarts,
          rules: failurePolicy.rules.map((rule) => ({ ...rule, jobs: copy(rule.jobs), reasons: copy(rule.reasons) })),
        },
      }),
      replicatedJobs: jobs.map((job, index) => jobEntry(job, set, index)),
    },
  } as ManifestInput<'PinterestJobSet'>;
}

const copy = <T>(list: readonly T[] | undefined): T[] | undefined => list && [...list];

function jobEntry(job: GeneratedJob, { inOrder, jobs }: GeneratedSet, index: number): Job {
  const { name, replicas, shards, parallelism, retries, maxFailedShards, failsFast, exceedsDeadline } = job;
  const dependsOn = inOrder
    ? jobs.slice(0, index).map((earlier) => ({ name: earlier.name, status: 'Ready' as const }))
    : [...job.dependsOn];
  const onExitCodes = { operator: 'In' as const, values: [fatalExitCode] };
  return {
    name,
    replicas,
    shards,
    retries,
    template: longRunningTemplate({ [podBehavior.readyAfter]: 'never' }),
    ...(parallelism !== undefined && { parallelism }),
    ...(maxFailedShards !== undefined && { maxFailedShards: Math.min(maxFailedShards, shards) }),
    ...(failsFast && { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] } }),
    ...(exceedsDeadline && { activeDeadline: deadline }),
    ...(dependsOn.length > 0 && { dependsOn }),
  };
}

interface JobSpec {
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly template: { readonly metadata?: object; readonly spec: Readonly<Record<string, unknown>> };
}

/** Returns the same set as a JobSet, whose Jobs have the specs that pinion's Jobs have. */
export function jobSetManifest(set: GeneratedSet, namespace: string): SendableObject {
  const { name, inOrder, successPolicy, failurePolicy, suspend } = set;
  const specs = jobSpecs(set, namespace);
  const manifest = {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name, namespace },
    spec: {
      ...(suspend && { suspend }),
      ...(successPolicy && {
        successPolicy: { operator: successPolicy.operator, targetReplicatedJobs: successPolicy.jobs },
      }),
      ...(failurePolicy && {
        failurePolicy: {
          maxRestarts: failurePolicy.maxRestarts,
          restartStrategy: 'BlockingRecreate',
          rules: failurePolicy.rules.map((rule) => ({
            action: rule.action,
            targetReplicatedJobs: rule.jobs,
            onJobFailureReasons: rule.reasons,
          })),
        },
      }),
      ...(inOrder && { startupPolicy: { startupPolicyOrder: 'InOrder' } }),
      network: { enableDNSHostnames: false },
      replicatedJobs: set.jobs.map((job) => ({
        name: job.name,
        replicas: job.replicas,
        ...(job.dependsOn.length > 0 && { dependsOn: job.dependsOn }),
        template: { spec: specs.get(`${name}-${job.name}-0`) },
      })),
    },
  };
  return manifest;
}

/** Returns the specs of pinion's Jobs by name, without fields that refer to pinion's objects or that a JobSet sets. */
function jobSpecs(set: GeneratedSet, namespace: string): ReadonlyMap<string, object> {
  const project: ManifestInput<'Project'> = {
    apiVersion,
    kind: 'Project',
    metadata: { name: namespace },
    spec: { team: 'parity' },
  };
  const context = resolvePlatform([...barePlatform, project].map((document) => parseManifest(document)) as never);
  const workload = parseManifest(pinionManifest(set, namespace));
  return new Map(
    expand(workload, context.project(namespace))
      .filter(({ kind }) => kind === 'Job')
      .map((object) => {
        const { ttlSecondsAfterFinished: _, suspend: __, template, ...spec } = object['spec'] as JobSpec;
        const pod = { ...template, spec: { ...template.spec, serviceAccountName: 'default' } };
        return [object.metadata.name, { ...spec, template: pod }];
      }),
  );
}
