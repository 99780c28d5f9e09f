import { isDeepStrictEqual } from 'node:util';
import {
  addAmounts,
  amountsOf,
  compareQuantities,
  formatQuantity,
  isError,
  isProtectedStage,
  metadataKeys,
  smallerAmounts,
  type ResourceList,
  type Problem,
  type Spec,
} from '../../api';
import { type ArtifactResource } from '../../artifact';
import { type TargetPreview } from '../../contract';
import { quotaOf } from '../../expand';
import { type LiveObject } from '../../kube';
import { availableOf, exceededResources, resourceTable, amountsUsedByOthers, type Balance } from './amounts-table';
import { changesOf, removedBy, workloadReference } from './changes';
import { feasibilityProblems } from './feasibility';
import { liveBesides, routeConflicts } from './route-conflicts';
import { type ExpandedWorkload, type TargetSnapshot } from './target-snapshot';
import { nearestFit, type QuotaShortfall } from './nearest-fit';

/** Deployment to one target, and its current state. */
export interface Submission {
  readonly target: TargetSnapshot;
  readonly project: string;
  /** Name of the workflow, a label of its workloads. */
  readonly workflow: string;
  /** Stage of the artifact: its name and its resources. */
  readonly stage: { readonly name: string; readonly resources: readonly ArtifactResource[] };
  /** All workloads of the project on the target. */
  readonly live: readonly LiveObject[];
  /** Reservations of deployments in progress, by `Kind/name`; the largest if several reserve for one workload. */
  readonly reservations: ReadonlyMap<string, ResourceList>;
  /** Current usage of the project's quota, as counted by the API server. */
  readonly used: ResourceList;
  /**
   * Limits of a ResourceQuota in the namespace, which apply if they are lower than those of the Project.
   * @default - none
   */
  readonly bounds?: ResourceList;
}

/** Result of a preview on one target. */
export interface PreviewResult {
  readonly preview: TargetPreview;
  readonly decision: 'accept' | 'queue' | 'refuse';
  /** Peak requests of each workload, by `Kind/name`: reserved until it is applied. */
  readonly requested: ReadonlyMap<string, ResourceList>;
}

/** Previews a deployment on a target. Pure except for the caches of the target. */
export function previewTarget(submission: Submission): PreviewResult {
  const { target, project, workflow, stage, live } = submission;
  const { resources } = stage;
  const replaced = new Map(live.map((one) => [workloadReference(one), one]));
  const looks = resources.map((resource) => ({
    resource,
    ...target.expandResource(resource, replaced.get(workloadReference(resource))),
  }));
  const workloads = looks.flatMap(({ known }) => known ?? []);
  const requested = new Map(looks.map(({ resource, known }) => [workloadReference(resource), known?.peak ?? {}]));
  const { balance, others } = balanceOf(submission, requested);
  const exceeded = exceededResources(balance);
  const shortfall: QuotaShortfall | undefined =
    exceeded.length > 0 ? { target, project, balance, workloads, others: others() } : undefined;
  const fit = shortfall && nearestFit(shortfall);
  const mayWait =
    target.projectContext(project).project.spec.onQuotaExceeded === 'Queue' &&
    exceeded.every((one) => fitsEmptyQuota(one, balance));
  const removed = removedBy({ workflow, stage: stage.name, resources, live });
  const problems = [
    ...projectProblems(submission),
    ...looks.flatMap((look) => look.problems),
    ...resources.flatMap((resource) => wrongNamespace(resource, project)),
    ...resources.flatMap((resource) => takeoverProblems(resource, submission)),
    ...workloads.flatMap((known: ExpandedWorkload) => feasibilityProblems(known, target)),
    ...routeConflicts({ target, workloads, others: liveBesides(live, [...resources, ...removed]) }),
    ...exceeded.map((resource) => quotaExceeded(resource, { project, balance, mayWait, remedy: fit ?? '' })),
  ];
  const preview = {
    target: target.name,
    resources: resourceTable(balance),
    fits: exceeded.length === 0,
    ...(fit !== undefined && { nearestFit: `${fit}.` }),
    changes: changesOf({ target, workflow, stage: stage.name, resources, live }),
    problems: problems.map(problemView),
  };
  return { preview, decision: problems.some(isError) ? 'refuse' : exceeded.length > 0 ? 'queue' : 'accept', requested };
}

function balanceOf(
  { target, project, live, reservations, used, bounds = {} }: Submission,
  requestsByWorkload: ReadonlyMap<string, ResourceList>,
): { readonly balance: Balance; readonly others: () => ReadonlyMap<string, ResourceList> } {
  const peaks = new Map(live.map((one) => [workloadReference(one), target.peakOf(one)]));
  const otherWorkloads = [...new Set([...peaks.keys(), ...reservations.keys()])].filter(
    (workload) => !requestsByWorkload.has(workload),
  );
  const claims = otherWorkloads.map((workload) => ({
    workload,
    live: peaks.get(workload) ?? {},
    reserved: reservations.get(workload) ?? {},
  }));
  const now = [...requestsByWorkload.keys()].map((workload) => peaks.get(workload) ?? {}).reduce(addAmounts, {});
  const { platform, project: document } = target.projectContext(project);
  return {
    balance: {
      requested: [...requestsByWorkload.values()].reduce(addAmounts, {}),
      now,
      usedByOthers: amountsUsedByOthers(claims, used, now),
      hard: smallerAmounts(amountsOf(quotaOf(document, platform)), bounds),
    },
    others: () => new Map(claims.map(({ workload, ...claim }) => [workload, amountsUsedByOthers([claim], {}, {})])),
  };
}

/** Returns whether a request fits into an empty quota; if not, waiting does not help. */
const fitsEmptyQuota = (resource: string, { requested, hard }: Balance): boolean => {
  const [amount, limit] = [requested[resource], hard[resource]];
  return !amount || !limit || compareQuantities(amount, limit) <= 0;
};

function quotaExceeded(
  resource: string,
  context: { readonly project: string; readonly balance: Balance; readonly mayWait: boolean; readonly remedy: string },
): Problem {
  const { project, balance, mayWait, remedy } = context;
  const { requested, usedByOthers, hard } = balance;
  const text = (amounts: ResourceList) => (amounts[resource] ? formatQuantity(amounts[resource]) : '0');
  const available = availableOf(resource, balance);
  return {
    code: 'not-available',
    ...(mayWait && { severity: 'warning' as const }),
    object: `Project ${project}`,
    path: ['spec', 'quota', resource],
    value: text(hard),
    reason: `leaves ${available ? formatQuantity(available) : '0'} available (others use ${text(usedByOthers)}), but the artifact requests ${text(requested)} at peak`,
    remedy,
  };
}

/** Reports a namespace without a Project: it has no deployer and no quota. */
function projectProblems({ target, project }: Submission): Problem[] {
  if (!target.projectContext(project).assumed.includes('Project')) return [];
  return [
    {
      code: 'unknown-reference',
      path: ['metadata', 'namespace'],
      value: project,
      reason: `is not a Project on ${target.name}`,
      remedy: 'apply its Project there first',
    },
  ];
}

/** Rejects a workload of another project, which the caller may not deploy to. */
function wrongNamespace({ kind, metadata }: ArtifactResource, project: string): Problem[] {
  if (metadata.namespace === project) return [];
  return [
    {
      code: 'invalid-combination',
      object: `${kind} ${metadata.namespace}/${metadata.name}`,
      path: ['metadata', 'namespace'],
      value: metadata.namespace,
      reason: `is not the project ${project} that the artifact belongs to`,
      remedy: 'publish it with a workflow of its own project',
    },
  ];
}

/**
 * Warns before taking over a workload of another stage or workflow, since stages on one cluster share the project's
 * namespace; rejects it if the other stage is protected, unless the Project gives the cluster to this one.
 */
function takeoverProblems(resource: ArtifactResource, submission: Submission): Problem[] {
  const { live, workflow, stage } = submission;
  const labels = live.find((one) => workloadReference(one) === workloadReference(resource))?.metadata.labels ?? {};
  const [ofWorkflow, ofStage] = [labels[metadataKeys.workflow], labels[metadataKeys.stage]];
  if (ofWorkflow === undefined || (ofWorkflow === workflow && ofStage === stage.name)) return [];
  const isAllowed = mayTakeOver(submission, ofStage);
  const owner = `stage ${ofStage ?? 'unknown'} of workflow ${ofWorkflow}`;
  return [
    {
      code: 'invalid-combination',
      ...(isAllowed && { severity: 'warning' as const }),
      object: `${resource.kind} ${resource.metadata.namespace}/${resource.metadata.name}`,
      path: ['metadata', 'name'],
      value: resource.metadata.name,
      reason: isAllowed
        ? `belongs to ${owner}; this deployment takes it over`
        : `belongs to ${owner}, which has other publishers or deployers`,
      remedy: isAllowed
        ? 'use distinct workload names in stages that share a cluster, or a separate cluster for each stage'
        : 'use another name, or ask the platform team to give the cluster to this stage in the Project, or to delete the workload',
    },
  ];
}

/** Returns whether the stage of a deployment may take over workloads of another stage of the Project. */
function mayTakeOver({ target, project, stage }: Submission, from: string | undefined): boolean {
  const { stages = [] } = target.projectContext(project).project.spec;
  const [before, after] = [from, stage.name].map((name) => stages.find((one) => one.name === name));
  if (!before || !isProtectedStage(before)) return true;
  if (!after || !isProtectedStage(after)) return false;
  const isOwner = after.clusters?.includes(target.name) === true;
  return isOwner || isDeepStrictEqual(protectionOf(before), protectionOf(after));
}

const protectionOf = ({ publishers, deployers }: ProjectStage) => ({
  publishers,
  deployers: [...(deployers ?? [])].sort(),
});

type ProjectStage = NonNullable<Spec<'Project'>['stages']>[number];

/** Converts a problem for the response, without details that only concern files and rules. */
function problemView({
  code,
  path,
  value,
  reason,
  remedy,
  object,
  severity,
}: Problem): TargetPreview['problems'][number] {
  return {
    code,
    path: [...path],
    ...(value !== undefined && { value }),
    reason,
    remedy,
    ...(object !== undefined && { object }),
    ...(severity && { severity }),
  };
}
