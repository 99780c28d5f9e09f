import { metadataKeys } from '../../../../api';
import { type KubernetesObject } from '../../../../expand';
import { autoscalersOf, budgetsOf, ingressesTo, isHeadless, preferring, servicesOf } from '../belonging';
import { type ContainedJob } from '../kinds/kind-import';
import { importTargetOf } from '../kinds/kind-imports';
import { membersServicesOf } from '../members-service';
import { type NativeObject } from '../native-object';
import { type RelatedObjects } from '../related-objects';

/** A native object and the generated one that replaces it. */
export interface Counterpart {
  readonly native: NativeObject;
  /** Path of the native spec, if it is a part of the workload. @default spec */
  readonly path?: string;
  /** Undefined if nothing replaces it. */
  readonly generated: KubernetesObject | undefined;
}

/** Returns the objects that belong to a workload, each with the generated object that replaces it. */
export function counterpartsOf(source: RelatedObjects, generated: readonly KubernetesObject[]): readonly Counterpart[] {
  const { object, name, account } = source;
  const services = preferring(name, servicesOf(source));
  const withAddress = services.filter((service) => !isHeadless(service));
  const ingresses = withAddress.flatMap(({ metadata }) => preferring(name, ingressesTo(metadata.name, source)));
  const jobs = importTargetOf(object)?.jobsIn?.(object) ?? [];
  const others = [
    ...(jobs.length === 0 ? [[object]] : []),
    withAddress,
    membersServicesOf(source),
    [...new Set(ingresses)],
    preferring(name, autoscalersOf(source)),
    preferring(name, budgetsOf(source)),
    account ? [account] : [],
  ].flatMap((natives) => replacedFirst(natives, generated));
  return [...jobs.map((job) => counterpartOfJob(object, job, generated)), ...others];
}

/** Pairs a Job that the workload creates with the generated one: that of its role or job, or the only one. */
function counterpartOfJob(
  { apiVersion, kind, metadata }: NativeObject,
  { path, role, job: ofSet, spec }: ContainedJob,
  generated: readonly KubernetesObject[],
): Counterpart {
  const jobs = generated.filter((candidate) => candidate.kind === 'Job');
  const isCounterpart = ({ metadata: { name, labels } }: KubernetesObject): boolean =>
    (role !== undefined && name.endsWith(`-${role}`)) || (ofSet !== undefined && labels?.[metadataKeys.job] === ofSet);
  return {
    native: { apiVersion, kind, metadata, spec },
    path,
    generated: jobs.find(isCounterpart) ?? jobs[0],
  };
}

/** Pairs the first of several objects of a kind with the generated one; nothing replaces the others. */
function replacedFirst(natives: readonly NativeObject[], generated: readonly KubernetesObject[]): Counterpart[] {
  return natives.map((native, index) => ({
    native,
    generated:
      index > 0
        ? undefined
        : generated.find(
            (candidate) =>
              candidate.kind === native.kind &&
              (native.kind !== 'Service' || isHeadless(candidate) === isHeadless(native)),
          ),
  }));
}
