import { apiVersion, formatPath, isError, redactProblem, safeParseManifest, type Problem, type Workload } from '../api';
import { safeExpand, type KubernetesObject, type ProjectContext } from '../expand';
import { type ImpactDocument } from './impact-side';

/** Returns a document as a workload, or why current rules reject it. */
export function parseDocument({ kind, metadata, spec }: ImpactDocument): Workload | string {
  const { name, namespace, labels, annotations } = metadata;
  const written = { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) };
  const { manifest, problems } = safeParseManifest({ apiVersion, kind, metadata: written, spec });
  return (manifest as Workload | undefined) ?? rejectionText(problems);
}

/** Returns the objects of a workload, or why the platform rejects it. */
export function expandDocument(workload: Workload, context: ProjectContext): readonly KubernetesObject[] | string {
  const { objects, problems } = safeExpand(workload, context);
  return objects ?? rejectionText(problems);
}

/** Returns the first error, without values that could be secrets. */
function rejectionText(problems: readonly Problem[]): string {
  const errors = problems.filter(isError);
  const [first] = errors.length > 0 ? errors : problems;
  if (!first) return 'is rejected';
  const { path, reason, remedy } = redactProblem(first);
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${formatPath(path)} ${reason}; ${remedy}${more}`;
}
