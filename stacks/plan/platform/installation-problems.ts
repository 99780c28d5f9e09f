import { complete, examineExpansion, install, resolve, type KubernetesObject } from 'pinion';
import {
  examine,
  isPlatformKind,
  isWorkloadKind,
  ProblemsError,
  type PlatformDocument,
  type Problem,
} from 'pinion/api';
import { documentsOf } from './pinion-objects';
import { type PlatformFacts } from './platform-facts';

/** What is wrong with the documents of a cluster, or with the image of its controller. */
export function installationProblems(facts: PlatformFacts): Problem[] {
  try {
    install({ image: facts.controllerImage, documents: documentsOf(facts) });
    return [];
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    return error.problems.map(placed);
  }
}

/** What fields of a pool are in a group. */
const groupFields: Readonly<Record<string, string>> = { name: 'pool', nodeSelector: 'labels', tolerations: 'taints' };

/** Where a person wrote what a problem of an installation is about. */
function placed(problem: Problem): Problem {
  const { object, path, ...rest } = problem;
  const [top, field, index, member, ...below] = path;
  if (object === undefined && top === 'image') return { ...rest, path: ['controllerImage'] };
  if (object !== 'Platform cluster' || top !== 'spec') return problem;
  if (field !== 'pools' || index === undefined) return { ...rest, path: ['platform', ...path.slice(1)] };
  const inGroup = member === undefined ? [] : [groupFields[member] ?? member, ...below];
  return { ...rest, path: ['nodeGroups', index, ...inGroup] };
}

/** What stands against the platform's own workloads: what the Platform of this cluster does not offer, most of all. */
export function workloadProblems(objects: readonly KubernetesObject[]): Problem[] {
  const documents = objects.filter(({ kind }) => isPlatformKind(kind));
  const cluster = resolve(documents.map((document) => complete(document as never)) as PlatformDocument[]);
  return objects
    .filter(({ kind }) => isWorkloadKind(kind))
    .flatMap((object) => {
      const { completed, problems } = examine(object);
      if (!completed || !isWorkloadKind(completed.kind)) return problems;
      const workload = completed as Parameters<typeof examineExpansion>[0];
      return [...problems, ...examineExpansion(workload, cluster.project(workload.metadata.namespace)).problems];
    });
}
