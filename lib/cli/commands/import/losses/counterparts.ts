import { type KubernetesObject } from '../../../../expand';
import { autoscalersOf, budgetsOf, ingressesTo, isHeadless, preferring, servicesOf } from '../belonging';
import { type NativeObject } from '../native-object';
import { type RelatedObjects } from '../related-objects';

/** A native object and the generated one that replaces it. */
export interface Counterpart {
  readonly native: NativeObject;
  /** Undefined if nothing replaces it. */
  readonly generated: KubernetesObject | undefined;
}

/** Returns the objects that belong to a workload, each with the generated object that replaces it. */
export function counterpartsOf(source: RelatedObjects, generated: readonly KubernetesObject[]): readonly Counterpart[] {
  const { object, name, account } = source;
  const services = preferring(name, servicesOf(source));
  const withAddress = services.filter((service) => !isHeadless(service));
  const ingresses = withAddress.flatMap(({ metadata }) => preferring(name, ingressesTo(metadata.name, source)));
  return [
    [object],
    withAddress,
    services.filter(isHeadless),
    [...new Set(ingresses)],
    preferring(name, autoscalersOf(source)),
    preferring(name, budgetsOf(source)),
    account ? [account] : [],
  ].flatMap((natives) => replacedFirst(natives, generated));
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
