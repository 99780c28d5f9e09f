import { isError, metadataKeys, ProblemsError, type Problem, type Workload } from '../api';
import { boundProblems } from './policies/container-memory';
import { expanderOf } from './kinds/kind-expanders';
import { freeze } from './objects/freeze';
import { inApplyOrder, type KubernetesObject } from './objects/kubernetes-object';
import { labelsOf, withoutDeployment } from './objects/labels';
import { patched } from './apply-patches';
import { checkPlatformRules } from './policies/check-platform-rules';
import { type ProjectContext } from './project-context';

/** What an expansion came to: the objects unless an error stands against it, and all problems. */
export interface Expanded {
  readonly objects?: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

/**
 * What a workload means on a cluster: native objects in the order in which they are applied.
 *
 * Pure: equal inputs give equal objects. Throws a `ProblemsError` where the context does not offer what the workload asks for.
 */
export function expand(workload: Workload, context: ProjectContext): readonly KubernetesObject[] {
  const { objects, problems } = safeExpand(workload, context);
  if (!objects) throw new ProblemsError(problems);
  return objects;
}

/** Like `expand`, but says all that is wrong, warnings included, instead of throwing. */
export function safeExpand(workload: Workload, context: ProjectContext): Expanded {
  const object = `${workload.kind} ${workload.metadata.namespace}/${workload.metadata.name}`;
  const problems: Problem[] = [];
  const report = (problem: Problem) => void problems.push({ ...problem, object });
  if (context.meantProject !== undefined) report(unknownProject(workload, context.meantProject));
  checkPlatformRules(workload, context, report);
  const refused = problems.some(isError);
  const objects = attempt(() => built(workload, context, report), refused);
  if (objects && !refused) boundProblems(workload, objects, context, report);
  return objects && !problems.some(isError) ? { objects, problems } : { problems };
}

/** Patches are tried on a refused workload too, so that their problems come in the same run; where nothing can be made of it, none come. */
function attempt<T>(make: () => T, refused: boolean): T | undefined {
  if (!refused) return make();
  try {
    return make();
  } catch {
    return undefined;
  }
}

const unknownProject = (workload: Workload, meant: string): Problem => ({
  code: 'unknown-reference',
  path: ['metadata', 'namespace'],
  value: workload.metadata.namespace,
  reason: 'is no Project that is known here',
  remedy: `did you mean "${meant}"?`,
  severity: 'warning',
});

/** Expands without asking whether the context offers what the workload asks for; patches that do not fit are passed over. */
export const expandUnchecked = (workload: Workload, context: ProjectContext): readonly KubernetesObject[] =>
  built(workload, context, () => undefined);

function built(
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): readonly KubernetesObject[] {
  const shared = sharedMetadata(workload, context);
  const objects = inApplyOrder(expanderOf(workload).objects(workload, context, report)).map((draft) =>
    finished(draft, workload, shared),
  );
  return patched(objects, workload, context, report);
}

/** Labels and annotations that all objects of a workload share. */
interface SharedMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const sharedMetadata = (workload: Workload, context: ProjectContext): SharedMetadata => ({
  labels: freeze(labelsOf(workload, context)),
  annotations: freeze({ ...ownAnnotations(workload), ...workload.spec.annotations, ...linksOf(workload) }),
});

/** Annotations of the workload itself, without what kubectl notes there: on another object it would be the wrong note, with all of the spec. */
const ownAnnotations = ({ metadata }: Workload): Record<string, string> =>
  Object.fromEntries(
    Object.entries(withoutDeployment(metadata.annotations) ?? {}).filter(
      ([key]) => !key.startsWith('kubectl.kubernetes.io/'),
    ),
  );

/** Sets what all objects of a workload share: namespace, labels, annotations. */
function finished(draft: KubernetesObject, workload: Workload, shared: SharedMetadata): KubernetesObject {
  const { apiVersion, kind, metadata, ...body } = draft;
  // What the kind says of this one object wins.
  const annotations = metadata.annotations
    ? { ...metadata.annotations, ...shared.annotations, ...metadata.annotations }
    : shared.annotations;
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

function linksOf({ spec }: Workload): Record<string, string> {
  return Object.fromEntries(
    Object.entries(spec.links ?? {}).flatMap(([name, link]) =>
      link === undefined ? [] : [[`${metadataKeys.link}/${name}`, link]],
    ),
  );
}
