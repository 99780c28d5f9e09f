import {
  parseManifest,
  safeExpand,
  installManifests,
  resolvePlatform,
  type KubernetesObject,
} from '@pinion-platform/pinion';
import {
  safeParseManifest,
  isPlatformKind,
  isWorkloadKind,
  ProblemsError,
  type Problem,
} from '@pinion-platform/pinion/api';
import { installOptions } from './pinion-objects';
import { type PlatformStackConfig } from './platform-stack-config';

/** Validates the manifests of a cluster and the controller image. */
export function installationProblems(config: PlatformStackConfig): Problem[] {
  try {
    installManifests(installOptions(config));
    return [];
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    return error.problems.map(atConfigPath);
  }
}

/** Fields of a node group by field of a Platform pool. */
const groupFields: Readonly<Record<string, string>> = { name: 'pool', nodeSelector: 'labels', tolerations: 'taints' };

/** Returns a problem of the installation at its path in the configuration. */
function atConfigPath(problem: Problem): Problem {
  const { object, path, ...rest } = problem;
  const [top, field, index, member, ...memberPath] = path;
  if (object === undefined && top === 'image') return { ...rest, path: ['controllerImage'] };
  if (object !== 'Platform cluster' || top !== 'spec') return problem;
  if (field !== 'pools' || index === undefined) return { ...rest, path: ['platform', ...path.slice(1)] };
  const inGroup = member === undefined ? [] : [groupFields[member] ?? member, ...memberPath];
  return { ...rest, path: ['nodeGroups', index, ...inGroup] };
}

/** Validates the platform's own workloads against the Platform. */
export function workloadProblems(objects: readonly KubernetesObject[]): Problem[] {
  const documents = objects.filter(({ kind }) => isPlatformKind(kind));
  const cluster = resolvePlatform(documents.map((document) => parseManifest(document as never)));
  return objects
    .filter(({ kind }) => isWorkloadKind(kind))
    .flatMap((object) => {
      const { manifest, problems } = safeParseManifest(object);
      if (!manifest || !isWorkloadKind(manifest.kind)) return problems;
      const workload = manifest as Parameters<typeof safeExpand>[0];
      return [...problems, ...safeExpand(workload, cluster.project(workload.metadata.namespace)).problems];
    });
}
