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
  /** Whether it is a file, below which nothing can be mounted. */
  readonly isFile?: boolean;
}

/**
 * Reports mounts at paths that are already in use.
 *
 * Mounts come from several fields and from the platform. Kubernetes rejects two at one path, and a container cannot start with one below a file.
 */
export function mountProblems(workload: Workload, context: ProjectContext, report: (problem: Problem) => void): void {
  const mounts = mountsOf(workload);
  if (mounts.length === 0) return;
  const taken = new Set(platformMounts(workload, context).map(({ mountPath }) => mountPath));
  const files = new Set(mounts.flatMap(({ isFile, mountPath }) => (isFile ? [mountPath] : [])));
  for (const { mountPath: written, path } of mounts) {
    const mountPath = written.replace(/(?<=.)\/+$/, '');
    if (taken.has(mountPath) || foldersOf(mountPath).some((folder) => files.has(folder))) {
      report({
        code: 'duplicate',
        path,
        value: written,
        reason: 'is already mounted, or is below a file',
        remedy: 'choose another path',
        rule: 'mount-twice',
      });
    }
    taken.add(mountPath);
  }
}

const platformMounts = (workload: Workload, context: ProjectContext) => [
  ...cloudIdentityOf(workload, context).mounts,
  ...partsOf(workload, tierOf(workload, context), context.runtime).flatMap(({ part }) => part.pod?.volumeMounts ?? []),
];

/** Lists the mounts that a workload declares; of two at one path, the later one is reported. */
function mountsOf(workload: Workload): Mount[] {
  const { spec } = workload;
  const keyed = (field: string, entries: Readonly<Record<string, unknown>> | undefined, isFile: boolean): Mount[] =>
    Object.keys(entries ?? {}).map((mountPath) => ({ mountPath, path: ['spec', field, 'files', mountPath], isFile }));
  const own = expanderOf(workload).mounts(spec);
  return [
    ...own.filter(({ fixed }) => fixed),
    ...keyed('config', spec.config?.files, true),
    ...keyed('secrets', spec.secrets?.files, false),
    ...own.filter(({ fixed }) => !fixed),
  ];
}

/** Lists the folders above a path, without the root. */
const foldersOf = (path: string): string[] => [...path.matchAll(/(?<=.)\//g)].map(({ index }) => path.slice(0, index));
