import { type FieldPath, type PodSpec, type Problem } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podSpecOf } from '../objects/pod-spec-of';
import { podSpecSecurityProblems } from '../policies/pod-security';
import { missingResources } from '../policies/requests-rule';
import { containerPaths } from '../policies/rule-paths';
import { type ProjectContext } from '../project-context';

/** Object before and after a patch. */
interface PatchedObject {
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
}

/** Field of a pod spec that violates a rule. */
interface PodProblem extends Pick<Problem, 'path' | 'reason' | 'remedy'> {
  readonly rule: string;
  readonly value?: unknown;
}

/**
 * Reports what a patch adds to the pods of an object although the project does not allow it: fields that its Pod Security
 * level rejects, access to the node, and containers without requests or limits.
 */
export function checkPatchedPods(
  { before, after }: PatchedObject,
  context: ProjectContext,
  report: (problem: Pick<Problem, 'value' | 'reason' | 'remedy' | 'rule'>) => void,
): void {
  const former = podSpecOf(before);
  const pod = podSpecOf(after);
  if (!pod || former === pod) return;
  const known = new Set(former ? podProblems(former, context).map((problem) => keyOf(problem, former)) : []);
  for (const problem of podProblems(pod, context)) {
    if (known.has(keyOf(problem, pod))) continue;
    const { path, value, reason, remedy, rule } = problem;
    const field = path.join('.');
    report({ value: value === undefined ? field : `${field}: ${JSON.stringify(value)}`, reason, remedy, rule });
  }
}

/** Returns a key that does not change if the entries of a list move. */
function keyOf({ path, value, reason }: PodProblem, pod: PodSpec): string {
  let current: unknown = pod;
  const names = path.map((step) => {
    current = (current as Readonly<Record<string | number, unknown>> | undefined)?.[step];
    return typeof step === 'number' ? ((current as { readonly name?: string } | undefined)?.name ?? step) : step;
  });
  return JSON.stringify([names, value, reason]);
}

function podProblems(pod: PodSpec, context: ProjectContext): PodProblem[] {
  const problems: PodProblem[] = [];
  podSpecSecurityProblems(pod, [], context, ({ path, value, reason, remedy }) =>
    problems.push({ path, value, reason, remedy, rule: 'pod-security' }),
  );
  return [...problems, ...hostProblems(pod, context), ...resourceProblems(pod)];
}

/** Lists access to the node that the project does not allow its daemons. */
function hostProblems(pod: PodSpec, { project }: ProjectContext): PodProblem[] {
  const { host } = project.spec;
  const denied = (path: FieldPath, value: unknown, field: string): PodProblem => ({
    path,
    value,
    reason: 'is host access that the Project does not allow',
    remedy: `remove it, or extend spec.host.${field} of the Project`,
    rule: 'patched-host-access',
  });
  const namespaces = [
    ['hostNetwork', 'network'],
    ['hostPID', 'pid'],
    ['hostIPC', 'ipc'],
  ] as const;
  return [
    ...namespaces.flatMap(([field, access]) => (pod[field] && !host[access] ? [denied([field], true, access)] : [])),
    ...(pod.volumes ?? []).flatMap(({ hostPath }, index) =>
      hostPath && !host.paths.some((path) => isAtOrBelow(hostPath.path, path))
        ? [denied(['volumes', index, 'hostPath', 'path'], hostPath.path, 'paths')]
        : [],
    ),
    ...containerPaths(pod, []).flatMap(({ container, path }) =>
      container.securityContext?.privileged && !host.privileged
        ? [denied([...path, 'securityContext', 'privileged'], true, 'privileged')]
        : [],
    ),
  ];
}

/** Returns whether a host path is a folder or below it; a path with `..` is below none. */
const isAtOrBelow = (path: string, folder: string): boolean =>
  !path.split('/').includes('..') && (path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`));

/** Lists containers without the requests and limits that the platform sets on every container. */
const resourceProblems = (pod: PodSpec): PodProblem[] =>
  containerPaths(pod, []).flatMap(({ container, path }) =>
    missingResources(container).map(([kind, resource]) => ({
      path: [...path, 'resources', kind, resource],
      reason: 'is missing after the patch; quotas count the requests and limits of every container',
      remedy: 'keep it, or set it in the patch',
      rule: 'patched-resources',
    })),
  );
