import { isError, metadataKeys, ProblemsError, validFieldsOfWorkload, type Problem, type Workload } from '../api';
import { acceleratorProblems } from './policies/accelerator-requests';
import { annotationProblems } from './policies/annotation-size';
import { ingressProblems } from './policies/ingress-problems';
import { memoryLimitProblems } from './policies/container-memory';
import { imageDigestProblems, imageTagProblems } from './policies/image-digests';
import { expanderOf } from './kinds/kind-expanders';
import { freeze } from './objects/freeze';
import { inApplyOrder, type KubernetesObject } from './objects/kubernetes-object';
import { labelsOf, withoutDeployment } from './objects/labels';
import { applyPatches } from './patches/apply-patches';
import { allowsAnnotation, isHarmlessKey } from './policies/ingress-rules';
import { metricsPortProblems } from './policies/metrics-port';
import { nestedMountProblems } from './policies/nested-mounts';
import { podMetadataProblems } from './policies/pod-metadata-references';
import { readinessProblems } from './policies/readiness-probe';
import { roleProblems } from './policies/role-problems';
import { variableProblems } from './policies/variable-references';
import { checkPlatformRules, checkRulesOfValidFields } from './policies/check-platform-rules';
import { type ProjectContext } from './project-context';

/** Result of an expansion: all problems, and the objects unless one of them is an error. */
export interface Expanded {
  readonly objects?: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

/**
 * Returns the native objects of a workload, in the order in which they are applied.
 *
 * Pure: equal inputs result in equal objects. Throws a `ProblemsError` if the platform does not meet the requirements of
 * the workload.
 */
export function expand(workload: Workload, context: ProjectContext): readonly KubernetesObject[] {
  const { objects, problems } = safeExpand(workload, context);
  if (!objects) throw new ProblemsError(problems);
  return objects;
}

/** Like `expand`, but returns all problems, including warnings, instead of throwing. */
export function safeExpand(workload: Workload, context: ProjectContext): Expanded {
  const object = `${workload.kind} ${workload.metadata.namespace}/${workload.metadata.name}`;
  const problems: Problem[] = [];
  const report = (problem: Problem) => void problems.push({ ...problem, object });
  if (context.similarProject !== undefined) report(unknownProject(workload, context.similarProject));
  checkPlatformRules(workload, context, report);
  const isRejected = problems.some(isError);
  const objects = tryExpand(() => buildObjects(workload, context, report), isRejected);
  if (objects && !isRejected) {
    annotationProblems(workload, objects, report);
    acceleratorProblems(workload, objects, context, report);
    memoryLimitProblems(workload, objects, context, report);
    imageDigestProblems(workload, objects, context, report);
    imageTagProblems(workload, context, report);
    variableProblems(workload, objects, report);
    podMetadataProblems(workload, objects, report);
    metricsPortProblems(workload, objects, report);
    nestedMountProblems(workload, objects, report);
    readinessProblems(workload, report);
    ingressProblems(workload, objects, context, report);
    roleProblems(workload, objects, context, report);
  }
  return objects && !problems.some(isError) ? { objects, problems } : { problems };
}

/** Returns what the platform does not offer of the valid fields of a workload that has errors, given with its problems. */
export function problemsOfValidFields(
  input: unknown,
  problems: readonly Problem[],
  contextOf: (project: string) => ProjectContext | undefined,
): readonly Problem[] {
  const workload = validFieldsOfWorkload(input);
  const context = workload && contextOf(workload.metadata.namespace);
  if (!context) return [];
  const found: Problem[] = [];
  const object = `${workload.kind} ${workload.metadata.namespace}/${workload.metadata.name}`;
  checkRulesOfValidFields(workload, problems, context, (problem) => found.push({ ...problem, object }));
  return found;
}

/**
 * Returns the result of an expansion; undefined if it throws for a rejected workload, which is expanded only to report
 * problems of its patches.
 */
function tryExpand<T>(expansion: () => T, isRejected: boolean): T | undefined {
  if (!isRejected) return expansion();
  try {
    return expansion();
  } catch {
    return undefined;
  }
}

const unknownProject = (workload: Workload, suggestion: string): Problem => ({
  code: 'unknown-reference',
  path: ['metadata', 'namespace'],
  value: workload.metadata.namespace,
  reason: 'is not a known Project',
  remedy: `did you mean "${suggestion}"?`,
  severity: 'warning',
});

/** Expands without checking platform rules; patches that do not apply are skipped. */
export const expandUnchecked = (workload: Workload, context: ProjectContext): readonly KubernetesObject[] =>
  buildObjects(workload, context, () => undefined);

function buildObjects(
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): readonly KubernetesObject[] {
  const shared = sharedMetadata(workload, context);
  const objects = inApplyOrder(expanderOf(workload).objects(workload, context, report)).map((draft) =>
    withSharedMetadata(draft, workload, shared),
  );
  return applyPatches(objects, workload, context, report);
}

/** Labels and annotations of all objects of a workload. */
interface SharedMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Annotations of Ingresses, without those that the Platform does not allow. */
  readonly ingressAnnotations: Readonly<Record<string, string>>;
}

function sharedMetadata(workload: Workload, context: ProjectContext): SharedMetadata {
  const annotations = { ...ownAnnotations(workload), ...workload.spec.annotations, ...linkAnnotations(workload) };
  return {
    labels: freeze(labelsOf(workload, context)),
    annotations: freeze(annotations),
    ingressAnnotations: freeze(
      Object.fromEntries(
        Object.entries(annotations).filter(([key]) => isHarmlessKey(key) || allowsAnnotation(context.platform, key)),
      ),
    ),
  };
}

/** Returns the workload's annotations without those of kubectl, which contain the whole workload and do not apply to its objects. */
const ownAnnotations = ({ metadata }: Workload): Record<string, string> =>
  Object.fromEntries(
    Object.entries(withoutDeployment(metadata.annotations) ?? {}).filter(
      ([key]) => !key.startsWith('kubectl.kubernetes.io/'),
    ),
  );

/** Sets the namespace, labels and annotations that all objects of a workload share. */
function withSharedMetadata(draft: KubernetesObject, workload: Workload, shared: SharedMetadata): KubernetesObject {
  const { apiVersion, kind, metadata, ...body } = draft;
  const sharedAnnotations = kind === 'Ingress' ? shared.ingressAnnotations : shared.annotations;
  // Annotations of the object itself take precedence.
  const annotations = metadata.annotations
    ? { ...metadata.annotations, ...sharedAnnotations, ...metadata.annotations }
    : sharedAnnotations;
  return {
    apiVersion,
    kind,
    metadata: {
      name: metadata.name,
      namespace: workload.metadata.namespace,
      labels: metadata.labels ? { ...shared.labels, ...metadata.labels } : shared.labels,
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...body,
  };
}

function linkAnnotations({ spec }: Workload): Record<string, string> {
  return Object.fromEntries(
    Object.entries(spec.links ?? {}).flatMap(([name, link]) =>
      link === undefined ? [] : [[`${metadataKeys.link}/${name}`, link]],
    ),
  );
}
