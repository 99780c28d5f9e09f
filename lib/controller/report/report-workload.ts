import { heldExpansionConditions } from '../expansion-guard/held-expansion-report';
import { isError, isRunKind, type Status, type WorkloadKind } from '../../api';
import { kindControllerOf } from '../kinds/kind-controllers';
import { worstFinding, type Finding } from './cause';
import { childrenMap } from './children-map';
import { conditionsOf, type ConditionDraft } from './conditions';
import { crashResetAfter } from './container-diagnosis';
import { creationTimes } from './creation-findings';
import { computeReadiness } from './compute-readiness';
import { eventsForStatus } from './events-for-status';
import { outcomeFinding } from './outcome-finding';
import { slowAfter, volumesAfter } from './pod-findings';
import { type Report, type ReportInput } from './report';
import { outcomeConditions, runFields } from '../run/run-record';
import { computeObjectStatus } from './compute-object-status';
import { type DesiredObjectStatus } from './desired-object-status';
import { routeConflictConditions } from './route-conflict-report';
import { verificationConditions } from './verification-report';
import { workloadFindings } from './workload-findings';

type Fields = Readonly<Record<string, unknown>>;

/** Computes the status of a workload and the Events for its changes; equal inputs give equal reports. */
export function report<K extends WorkloadKind>(input: ReportInput<K>): Report<K> {
  const anyInput = input as unknown as ReportInput;
  const status =
    anyInput.problems.some(isError) || !anyInput.workload ? invalidStatus(anyInput) : validStatus(anyInput);
  const requeueAfter = requeueDelay(anyInput);
  return {
    status: status as Status<K>,
    events: eventsForStatus(anyInput, status),
    ...(requeueAfter !== undefined && { requeueAfter }),
  };
}

/**
 * Returns the status of a workload with an invalid spec, which is not applied: the reported state of its pods is kept.
 */
function invalidStatus(input: ReportInput): Fields {
  const { cause: _, ...kept } = (input.previous ?? {}) as Fields;
  const worst = worstFinding(workloadFindings({ ...input, pods: [], failures: [] }, []));
  return { ...kept, ...commonFields(input, [], worst) };
}

function validStatus(input: ReportInput): Fields {
  const { kind, desired, observed, profile, record, hookPlan, plan, rejected, workload } = input;
  const statuses = desired.map((object): DesiredObjectStatus => {
    const child = observed.child(object.kind, object.metadata.name);
    return { object, status: computeObjectStatus(object, child) };
  });
  const succeeded = record?.outcome === 'Succeeded';
  const findings = [...outcomeFinding(input), ...workloadFindings(input, statuses)];
  // Failures of terminating pods no longer matter to a finished run.
  const worst = worstFinding(
    succeeded ? findings.filter(({ severity }) => severity === 'blocked' || severity === 'rejected') : findings,
  );
  const blocked = new Set([...(plan?.blockingIssues ?? []), ...rejected].map(({ kind, name }) => `${kind}/${name}`));
  const children = childrenMap(statuses, observed, blocked);
  const { previous } = input;
  return {
    ...(previous?.deployedSpecHash !== undefined && { deployedSpecHash: previous.deployedSpecHash }),
    ...(profile !== undefined && { runtimeProfile: profile }),
    ...(isRunKind(kind) && record && runFields(record)),
    ...(hookPlan && { beforeDeployment: hookPlan.record }),
    ...(workload && kindControllerOf(kind).statusFields({ workload, input, statuses })),
    ...(Object.keys(children).length > 0 && { children }),
    ...commonFields(input, statuses, worst),
  };
}

/** Returns the fields of every status: generation, phase, conditions, cause. */
function commonFields(
  input: ReportInput,
  statuses: readonly DesiredObjectStatus[],
  worst: Finding | undefined,
): Fields {
  const { generation, previous, now } = input;
  const { phase, ...readiness } = computeReadiness(input, statuses, worst);
  return {
    observedGeneration: generation,
    phase,
    conditions: conditionsOf(
      readiness,
      [
        ...verificationConditions(input),
        ...heldExpansionConditions(input),
        ...routeConflictConditions(input),
        ...outcomeConditionsOf(input),
      ],
      previous?.conditions,
      generation,
      now,
    ),
    ...(worst && { cause: worst.cause }),
  };
}

/**
 * Returns the conditions of a finished run like those of a Job, so that `kubectl wait --for=condition=Complete` works.
 */
function outcomeConditionsOf({ kind, record }: ReportInput): readonly ConditionDraft[] {
  if (!isRunKind(kind) || !record?.outcome) return [];
  const { outcome, outcomeReason = outcome, outcomeMessage = '' } = record;
  return [{ type: outcomeConditions[outcome], status: 'True', reason: outcomeReason, message: outcomeMessage }];
}

/** Returns the milliseconds until a starting pod has taken too long, or a crashed one counts as healthy again. */
function requeueDelay(input: ReportInput): number | undefined {
  const { pods, now } = input;
  const podTimes = pods
    .filter(({ ready, deleting, phase }) => !ready && !deleting && (phase === 'Pending' || phase === 'Running'))
    .flatMap(({ created, containerIssues, unschedulable }) => [
      created + slowAfter,
      ...(unschedulable === undefined ? [] : [created + volumesAfter]),
      ...containerIssues.flatMap(({ exit }) => (exit?.at === undefined ? [] : [exit.at + crashResetAfter])),
    ]);
  const times = [...podTimes, ...creationTimes(input)].filter((time) => time > now);
  return times.length === 0 ? undefined : Math.min(...times) - now;
}
