import { type FieldPath, type Problem, type Workload } from '../../api';
import { cloudIdentityOf } from '../pods/cloud-identity';
import { tierOf } from '../pods/placement';
import { partsOf } from '../profile/runtime';
import { expanderOf } from '../kinds/kind-expanders';
import { type ProjectContext } from '../project-context';

/** Volume mount that a workload declares. */
interface Mount {
  readonly mountPath: string;
  readonly path: FieldPath;
  /** Whether it mounts a file; nothing can be mounted under a file. */
  readonly isFile?: boolean;
}

/**
 * Reports mounts at paths that are already in use.
 *
 * Mounts come from several fields and from the platform. Kubernetes rejects two mounts at the same path, and a
 * container with a mount under a file cannot start.
 */
export function mountProblems(workload: Workload, context: ProjectContext, report: (problem: Problem) => void): void {
  const mounts = mountsOf(workload);
  if (mounts.length === 0) return;
  const usedPaths = new Set(platformMounts(workload, context).map(({ mountPath }) => mountPath));
  const files = new Set(mounts.flatMap(({ isFile, mountPath }) => (isFile ? [mountPath] : [])));
  for (const { mountPath: declaredPath, path } of mounts) {
    const mountPath = declaredPath.replace(/(?<=.)\/+$/, '');
    if (usedPaths.has(mountPath) || foldersOf(mountPath).some((folder) => files.has(folder))) {
      report({
        code: 'duplicate',
        path,
        value: declaredPath,
        reason: 'is already mounted, or is below a file',
        remedy: 'choose another path',
        rule: 'mount-twice',
      });
    }
    usedPaths.add(mountPath);
  }
}

const platformMounts = (workload: Workload, context: ProjectContext) => [
  ...cloudIdentityOf(workload, context).mounts,
  ...partsOf(workload, tierOf(workload, context), context.runtime).flatMap(({ part }) => part.pod?.volumeMounts ?? []),
];

/** Lists the mounts that a workload declares; if two have the same path, the later one is reported. */
function mountsOf(workload: Workload): Mount[] {
  const { spec } = workload;
  const fileMounts = (
    field: string,
    entries: Readonly<Record<string, unknown>> | undefined,
    isFile: boolean,
  ): Mount[] =>
    Object.keys(entries ?? {}).map((mountPath) => ({ mountPath, path: ['spec', field, 'files', mountPath], isFile }));
  const declared = expanderOf(workload).mounts(spec);
  return [
    ...declared.filter(({ fixed }) => fixed),
    ...fileMounts('config', spec.config?.files, true),
    ...fileMounts('secrets', spec.secrets?.files, false),
    ...declared.filter(({ fixed }) => !fixed),
  ];
}

/** Lists the parent folders of a path, without the root. */
const foldersOf = (path: string): string[] => [...path.matchAll(/(?<=.)\//g)].map(({ index }) => path.slice(0, index));
