import { type WorkloadKind } from '../../../../api';
import { cronJobImport } from './pinterest-cron-job';
import { daemonImport } from './pinterest-daemon';
import { type KindImport } from './kind-import';
import { serviceImport } from './pinterest-service';
import { statefulSetImport } from './pinterest-stateful-set';

/** Imports of all workload kinds; undefined for kinds without a corresponding native kind. */
export const kindImports: { readonly [K in WorkloadKind]: KindImport | undefined } = {
  PinterestService: serviceImport,
  PinterestStatefulSet: statefulSetImport,
  PinterestCronJob: cronJobImport,
  PinterestDaemon: daemonImport,
  PinterestJobSet: undefined,
  PinterestTrainingJob: undefined,
};

/** A workload kind and its import. */
export type ImportTarget = KindImport & { readonly kind: WorkloadKind };

/** All kinds that can be imported. */
export const importTargets: readonly ImportTarget[] = Object.entries(kindImports).flatMap(([kind, kindImport]) =>
  kindImport === undefined ? [] : [{ ...kindImport, kind: kind as WorkloadKind }],
);
