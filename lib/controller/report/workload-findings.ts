import { redactProblem, explainProblem, isError, podTemplatesOf, traitsOf, type Problem } from '../../api';
import { hookFindings } from '../hooks/hook-report';
import { createCause, type Diagnosis, type Finding } from './cause';
import { creationFindings } from './creation-findings';
import { newestPods } from './newest-pods';
import { planFindings } from './plan-findings';
import { podFindings } from './pod-findings';
import { type ReportInput } from './report';
import { refusedSpec } from './verification-report';
import { type DesiredObjectStatus } from './desired-object-status';

/** Returns everything that keeps a workload from its desired state, in no particular order. */
export function workloadFindings(input: ReportInput, statuses: readonly DesiredObjectStatus[]): readonly Finding[] {
  const findings = [
    ...invalidSpec(input.problems),
    ...refusedSpec(input),
    ...planFindings(input),
    ...hookFindings(input),
    ...creationFindings(input, statuses),
    ...pods(input),
    ...statuses.flatMap(failedObject),
  ];
  return input.ownedByPlatform ? findings.map(withPlatformOwner) : findings;
}

/** Assigns a finding to the platform: only its team can change the workloads that the Platform creates. */
const withPlatformOwner = ({ cause, ...rest }: Finding): Finding => ({
  ...rest,
  cause: cause.owner === 'application' ? { ...cause, owner: 'platform' } : cause,
});

/** Returns the problems of a spec, of the platform's resources, or of both, as `pinion check` prints them. */
function invalidSpec(problems: readonly Problem[]): readonly Finding[] {
  const errors = problems.filter(isError);
  if (errors.length === 0) return [];
  const isPlatformProblem = errors.every(({ object = '' }) => /^(Platform|RuntimeProfile|Project) /.test(object));
  const message = errors.map((problem) => explainProblem(redactProblem(problem))).join('\n');
  const diagnosis: Diagnosis = isPlatformProblem
    ? { owner: 'platform', reason: 'InvalidPlatform', message }
    : { owner: 'application', reason: 'InvalidSpec', message };
  return [{ severity: 'invalid', cause: createCause(diagnosis), order: '' }];
}

function pods({ kind, desired, observed, pods: all, workload, now }: ReportInput): readonly Finding[] {
  const currentPods = newestPods(desired, observed, all);
  const placement = workload !== undefined && restrictsPlacement(workload) ? 'chosen' : 'default';
  // The readiness of pods that run to completion says nothing about their health.
  const runsToCompletion = traitsOf(kind).lifecycle !== 'Continuous';
  return currentPods
    .filter(({ phase }) => phase !== 'Failed')
    .flatMap((pod) =>
      podFindings(pod, placement, now).filter(
        ({ severity, cause }) =>
          !(runsToCompletion || pod.hook !== undefined) ||
          severity !== 'unready' ||
          cause.reason === 'StartsSlowly' ||
          cause.reason === 'NotScheduled',
      ),
    );
}

/** Returns whether a workload itself restricts its placement; otherwise the platform chooses. */
function restrictsPlacement(workload: NonNullable<ReportInput['workload']>): boolean {
  const { pool, zones } = workload.spec.placement;
  const ofPods = podTemplatesOf(workload).flatMap(({ template: { spec } }) => [spec.affinity, spec.nodeSelector]);
  return [pool, zones, ...ofPods].some((value) => value !== undefined);
}

/** Returns the failure that an object itself reports, if there is no better explanation. */
function failedObject({ object, status: { state, message = '' } }: DesiredObjectStatus): readonly Finding[] {
  const name = `${object.kind}/${object.metadata.name}`;
  if (state !== 'Failed' || object.kind === 'Job') return [];
  const isClaim = object.kind === 'PersistentVolumeClaim';
  const remedy = isClaim
    ? 'Restore the volume from a backup, or delete the claim to get an empty one.'
    : 'Check its pods with `kubectl describe`.';
  const text = `${name}: ${message}. ${remedy}`;
  const diagnosis: Diagnosis = isClaim
    ? { owner: 'platform', reason: 'ClaimLost', message: text }
    : { owner: 'application', reason: 'ProgressDeadlineExceeded', message: text };
  return [{ severity: isClaim ? 'volume' : 'slow', cause: createCause(diagnosis, name), order: name }];
}
