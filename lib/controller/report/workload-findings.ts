import { redactProblem, explainProblem, isError, traitsOf, type Problem } from '../../api';
import { createCause, type Diagnosis, type Finding } from './cause';
import { creationFindings } from './creation-findings';
import { newestPods } from './newest-pods';
import { planFindings } from './plan-findings';
import { podFindings } from './pod-findings';
import { type ReportInput } from './report';
import { type DesiredObjectStatus } from './desired-object-status';

/** Returns everything that keeps a workload from its desired state, unordered. */
export function workloadFindings(input: ReportInput, statuses: readonly DesiredObjectStatus[]): readonly Finding[] {
  const findings = [
    ...invalid(input.problems),
    ...planFindings(input),
    ...creationFindings(input, statuses),
    ...pods(input),
    ...statuses.flatMap(unfinished),
  ];
  return input.ofPlatform ? findings.map(ofPlatform) : findings;
}

/** Assigns a finding to the platform: only its team can change the workloads that the Platform creates for itself. */
const ofPlatform = ({ cause, ...rest }: Finding): Finding => ({
  ...rest,
  cause: cause.owner === 'application' ? { ...cause, owner: 'platform' } : cause,
});

/** Returns the problems of a spec, of the platform's resources, or of both, as `pinion check` prints them. */
function invalid(problems: readonly Problem[]): readonly Finding[] {
  const errors = problems.filter(isError);
  if (errors.length === 0) return [];
  const ofPlatform = errors.every(({ object = '' }) => /^(Platform|RuntimeProfile|Project) /.test(object));
  const message = errors.map((problem) => explainProblem(redactProblem(problem))).join('\n');
  const diagnosis: Diagnosis = ofPlatform
    ? { owner: 'platform', reason: 'InvalidPlatform', message }
    : { owner: 'application', reason: 'InvalidSpec', message };
  return [{ severity: 'invalid', cause: createCause(diagnosis), order: '' }];
}

function pods({ kind, desired, observed, pods: all, workload, now }: ReportInput): readonly Finding[] {
  const speaking = newestPods(desired, observed, all);
  const placement = workload !== undefined && choosesPlace(workload.spec) ? 'chosen' : 'default';
  // The readiness of pods that run to completion says nothing about their health.
  const ends = traitsOf(kind).lifecycle !== 'Continuous';
  return speaking
    .filter(({ phase }) => phase !== 'Failed')
    .flatMap((pod) => podFindings(pod, placement, now))
    .filter(
      ({ severity, cause }) =>
        !ends || severity !== 'unready' || cause.reason === 'StartsSlowly' || cause.reason === 'NotScheduled',
    );
}

/** Returns whether a workload itself restricts its placement; otherwise the platform chooses. */
function choosesPlace(spec: NonNullable<ReportInput['workload']>['spec']): boolean {
  const { affinity, nodeSelector } = spec.template?.spec ?? {};
  return [spec.placement.pool, spec.placement.zones, affinity, nodeSelector].some((choice) => choice !== undefined);
}

/** Returns the failure that an object itself reports, if there is no better explanation. */
function unfinished({ object, status: { state, message = '' } }: DesiredObjectStatus): readonly Finding[] {
  const name = `${object.kind}/${object.metadata.name}`;
  if (state !== 'Failed' || object.kind === 'Job') return [];
  const lost = object.kind === 'PersistentVolumeClaim';
  const remedy = lost
    ? 'Restore the volume from a backup, or delete the claim to get an empty one.'
    : 'Look at its pods with `kubectl describe`.';
  const text = `${name}: ${message}. ${remedy}`;
  const diagnosis: Diagnosis = lost
    ? { owner: 'platform', reason: 'ClaimLost', message: text }
    : { owner: 'application', reason: 'ProgressDeadlineExceeded', message: text };
  return [{ severity: lost ? 'volume' : 'slow', cause: createCause(diagnosis, name), order: name }];
}
