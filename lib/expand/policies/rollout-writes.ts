import { platformKinds } from '../../api';
import { type Validation } from './admission-policy';

const { PlatformRollout, Platform } = platformKinds;

/** CEL expression that is true for writes of rollouts. */
export const isRollout = `request.resource.resource == "${PlatformRollout.plural}"`;

/** Fields of a rollout that members of the on-call group decide. */
const decisions = JSON.stringify(['paused', 'aborted', 'rollback', 'approvedImpact', 'emergency']);
const [after, before] = ['dyn(object).spec', 'dyn(oldObject).spec'] as const;
/** True if an update changes nothing of a rollout but these fields: not its owners, with which the garbage collector would delete it. */
const changesDecisionsOnly = [
  ...['finalizers', 'ownerReferences'].map(
    (field) => `object.metadata.?${field}.orValue([]) == oldObject.metadata.?${field}.orValue([])`,
  ),
  'object.metadata.?annotations.orValue({}) == oldObject.metadata.?annotations.orValue({})',
  `${after}.all(k, k in ${decisions} || (k in ${before} && ${before}[k] == ${after}[k]))`,
  `${before}.all(k, k in ${decisions} || k in ${after})`,
].join(' && ');

/** True for a rollout as the controller creates it: with the policy of the Platform, and without a decision. */
const isOfPlatform = [
  'has(params.spec.rollouts)',
  `${after}.policy == dyn(params).spec.rollouts`,
  ...['paused', 'aborted', 'rollback'].map((field) => `!${after}.?${field}.orValue(false)`),
  ...['approvedImpact', 'emergency'].map((field) => `!${after}.?${field}.hasValue()`),
].join(' && ');

const untilOf = (spec: string): string => `${spec}.?emergency.?until.orValue("")`;
/** Managed fields of who set the end of an emergency; CEL has no clock, but the API server sets their time. */
const setters =
  'object.metadata.?managedFields.orValue([]).filter(f, dyn(f).?fieldsV1[?"f:spec"][?"f:emergency"][?"f:until"].hasValue())';
const isBounded = `size(${setters}) > 0 && ${setters}.all(f, has(f.time) && timestamp(${untilOf(after)}) <= timestamp(f.time) + duration("24h"))`;

/**
 * Rules for writes of rollouts; they require `params`, the Platform, and the variables `administrator`, `controller` and `onCall`.
 * The API server does not check the revision of a rollout: a revision exists before the status of the Platform names it.
 */
export const rolloutValidations: readonly Validation[] = [
  {
    expression: `!variables.controller || variables.administrator || !(${isRollout}) || request.operation != "CREATE" || (${isOfPlatform})`,
    message:
      "spec: pinion's controller creates rollouts only with the policy of the Platform, neither paused nor aborted, approved or in an emergency; change spec.rollouts of the Platform",
  },
  {
    expression: `!variables.onCall || variables.administrator || variables.controller || variables.collector || (${changesDecisionsOnly})`,
    message:
      'groups of spec.breakGlass of the Platform change only spec.paused, spec.aborted, spec.rollback, spec.approvedImpact and spec.emergency of a rollout; leave its other fields and its metadata as they are',
  },
  {
    expression: `!(${isRollout}) || request.operation == "DELETE" || ${untilOf(after)} == "" || (oldObject != null && ${untilOf(before)} == ${untilOf(after)}) || (${isBounded})`,
    message:
      'spec.emergency.until: must be at most 24 hours ahead; choose an earlier time, and set it again if the emergency lasts longer',
  },
];

const [revisionsAfter, revisionsBefore] = ['object', 'oldObject'].map((one) => `dyn(${one}).?status.?revisions`) as [
  string,
  string,
];
/**
 * CEL expression that is true for a status of the Platform whose completed revision is the former one or the former current one, or is
 * set for the first time. It is removed only with the rollouts.
 */
export const keepsCompleted = [
  `request.resource.resource != "${Platform.plural}"`,
  'oldObject == null',
  `!${revisionsBefore}.hasValue()`,
  `(${revisionsAfter}.hasValue() ? ${revisionsAfter}.value().completed in [${revisionsBefore}.value().completed, ${revisionsBefore}.value().current] : !dyn(object).?spec.?rollouts.hasValue())`,
].join(' || ');
