import { type WorkloadKind } from '../../../../api';
import { cronJobImport } from './pinterest-cron-job';
import { daemonImport } from './pinterest-daemon';
import { jobImport, jobSetImport } from './pinterest-job-set';
import { type KindImport } from './kind-import';
import { serviceImport } from './pinterest-service';
import { statefulSetImport } from './pinterest-stateful-set';
import { jaxJobImport, pyTorchJobImport, tfJobImport } from './pinterest-training-job';

/** Imports of all workload kinds, one for each native kind; undefined for kinds without a corresponding native kind. */
export const kindImports: { readonly [K in WorkloadKind]: KindImport | readonly KindImport[] | undefined } = {
  PinterestService: serviceImport,
  PinterestStatefulSet: statefulSetImport,
  PinterestCronJob: cronJobImport,
  PinterestDaemon: daemonImport,
  PinterestJobSet: [jobImport, jobSetImport],
  PinterestTrainingJob: [tfJobImport, pyTorchJobImport, jaxJobImport],
};

/** A workload kind and its import. */
export type ImportTarget = KindImport & { readonly kind: WorkloadKind };

/** All native kinds that can be imported. */
export const importTargets: readonly ImportTarget[] = Object.entries(kindImports).flatMap(([kind, imports]) =>
  [imports ?? []].flat().map((kindImport) => ({ ...kindImport, kind: kind as WorkloadKind })),
);

/** Returns the import of a native object; undefined if its kind has none. */
export const importTargetOf = ({ kind }: { readonly kind: string }): ImportTarget | undefined =>
  importTargets.find(({ nativeKind }) => nativeKind === kind);
