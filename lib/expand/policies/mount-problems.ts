import { type FieldPath, type Problem, type Workload } from '../../api';
import { cloudIdentityOf } from '../pods/cloud-identity';
import { tierOf } from '../pods/placement';
import { partsOf } from '../profile/runtime';
import { type ProjectContext } from '../project-context';

/** Where a person has something shown to the containers of the app. */
interface Place {
  readonly mountPath: string;
  readonly path: FieldPath;
  /** A file, below which nothing can be. */
  readonly isFile?: boolean;
}

/**
 * Reports what a person has shown where something else is shown already.
 *
 * Mounts come from several fields and from the platform, and Kubernetes refuses two at one path; below a file no container could start.
 */
export function mountProblems(workload: Workload, context: ProjectContext, report: (problem: Problem) => void): void {
  const places = placesOf(workload);
  if (places.length === 0) return;
  const taken = new Set(platformMounts(workload, context).map(({ mountPath }) => mountPath));
  const files = new Set(places.flatMap(({ isFile, mountPath }) => (isFile ? [mountPath] : [])));
  for (const { mountPath: written, path } of places) {
    const mountPath = written.replace(/(?<=.)\/+$/, '');
    if (taken.has(mountPath) || foldersOf(mountPath).some((folder) => files.has(folder))) {
      report({
        code: 'duplicate',
        path,
        value: written,
        reason: 'is where containers see something else already, or lies below a file',
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

function placesOf({ spec }: Workload): Place[] {
  const keyed = (field: string, entries: Readonly<Record<string, unknown>> | undefined, isFile: boolean): Place[] =>
    Object.keys(entries ?? {}).map((mountPath) => ({ mountPath, path: ['spec', field, 'files', mountPath], isFile }));
  const listed = (field: FieldPath, entries: readonly { readonly mountPath: string }[] | undefined): Place[] =>
    (entries ?? []).map(({ mountPath }, index) => ({ mountPath, path: ['spec', ...field, index, 'mountPath'] }));
  return [
    ...('sharedMemory' in spec && spec.sharedMemory !== undefined
      ? [{ mountPath: '/dev/shm', path: ['spec', 'sharedMemory'] }]
      : []),
    ...keyed('config', spec.config?.files, true),
    ...keyed('secrets', spec.secrets?.files, false),
    ...('configTemplates' in spec ? listed(['configTemplates'], spec.configTemplates) : []),
    ...('volumeClaimTemplates' in spec ? listed(['volumeClaimTemplates'], spec.volumeClaimTemplates) : []),
    ...('host' in spec ? listed(['host', 'paths'], spec.host.paths) : []),
    ...('checkpoint' in spec && spec.checkpoint
      ? [{ mountPath: spec.checkpoint.mountPath, path: ['spec', 'checkpoint', 'mountPath'] }]
      : []),
  ];
}

/** All folders above a path, the root left out. */
const foldersOf = (path: string): string[] => [...path.matchAll(/(?<=.)\//g)].map(({ index }) => path.slice(0, index));
