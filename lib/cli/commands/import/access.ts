import { valueAt } from '../../../api';
import { selects } from '../../../operations';
import { isDnsServer, NoCounterpart, peersOf } from './access-peers';
import { entriesAt, fieldIfSet, isSame, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';
import { isRendered } from './rendered';

/** A NetworkPolicy as `spec.access`. A side is undefined if the policy does not restrict it. */
export interface ConvertedPolicy {
  readonly from?: readonly Fields[];
  readonly to?: readonly Fields[];
}

/** Returns the policies that select the pods of a workload. */
const policiesOf = ({ relatedObjects, labels }: RelatedObjects): readonly NativeObject[] =>
  relatedObjects.filter(
    (object) =>
      object.kind === 'NetworkPolicy' &&
      !isRendered(object) &&
      selects(valueAt(object, ['spec', 'podSelector']), labels),
  );

/** Converts the NetworkPolicies of a workload; those without an equal form stay, and add to what `spec.access` allows. */
export function accessOf(source: RelatedObjects): Fields {
  const converted = policiesOf(source).flatMap((policy) => {
    const result = convertedPolicy(policy, source);
    return typeof result === 'string' ? [] : [result];
  });
  const access = { ...sideOf(converted, 'from'), ...sideOf(converted, 'to') };
  noteDefaultDeny(access, source);
  return fieldIfSet('access', access);
}

/** Notes that the Platform denies what no policy restricts. */
function noteDefaultDeny(access: Fields, { object, cluster, note }: RelatedObjects): void {
  const denied = ['from', 'to'].filter((side) => access[side] === undefined);
  if (cluster.platform.spec.network.defaultDeny && denied.length > 0)
    note(
      object,
      'spec.access',
      `this Platform denies traffic by default, and no converted NetworkPolicy says what the workload needs; set ${denied.map((side) => `spec.access.${side}`).join(' and ')}`,
    );
}

/** Returns what all policies together allow on a side; nothing if none restricts it. */
function sideOf(policies: readonly ConvertedPolicy[], side: 'from' | 'to'): Fields {
  const restricted = policies.map((policy) => policy[side]).filter((list) => list !== undefined);
  const all = restricted.flat();
  const distinct = all.filter((peer, index) => all.findIndex((other) => isSame(other, peer)) === index);
  return restricted.length === 0 ? {} : { [side]: distinct };
}

/** Converts a policy; returns the reason if it has no equal form. */
export function convertedPolicy(policy: NativeObject, source: RelatedObjects): ConvertedPolicy | string {
  const types = valueAt(policy, ['spec', 'policyTypes']) ?? [
    'Ingress',
    ...(valueAt(policy, ['spec', 'egress']) === undefined ? [] : ['Egress']),
  ];
  const has = (type: string): boolean => Array.isArray(types) && types.includes(type);
  try {
    return {
      ...(has('Ingress') && { from: peersOfSide(policy, 'ingress', 'from', source) }),
      ...(has('Egress') && { to: peersOfSide(policy, 'egress', 'to', source) }),
    };
  } catch (error) {
    if (error instanceof NoCounterpart) return error.message;
    throw error;
  }
}

function peersOfSide(
  policy: NativeObject,
  field: 'ingress' | 'egress',
  side: 'from' | 'to',
  source: RelatedObjects,
): readonly Fields[] {
  return entriesAt(policy, 'spec', field)
    .filter((rule) => !(side === 'to' && isDns(rule, source)))
    .flatMap((rule) => peersOf(rule, side, source));
}

/** Returns whether a rule allows only DNS of the cluster, which is always allowed. */
const isDns = (rule: Fields, source: RelatedObjects): boolean => {
  const ports = entriesAt(rule, 'ports');
  const isPort = ports.length > 0 && ports.every(({ port, endPort }) => port === 53 && endPort === undefined);
  return isPort && entriesAt(rule, 'to').every((peer) => isDnsServer(peer, source));
};
