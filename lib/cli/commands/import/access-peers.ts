import { valueAt } from '../../../api';
import { selects } from '../../../operations';
import { entriesAt, fieldIfSet, fieldsAt, isEmpty, labelsAt, numberAt, textAt, type Fields } from './fields';
import { templatesOf } from './pod-references';
import { type RelatedObjects } from './related-objects';

/** Why a part of a NetworkPolicy has no counterpart in `spec.access`. */
export class NoCounterpart extends Error {
  override readonly name = 'NoCounterpart' as const;
}

const namespaceKey = 'kubernetes.io/metadata.name';

/** Returns the peers of a rule of a NetworkPolicy as those of `spec.access`. Throws `NoCounterpart` if one has none. */
export function peersOf(rule: Fields, side: 'from' | 'to', source: RelatedObjects): readonly Fields[] {
  const peers = entriesAt(rule, side);
  if (peers.length === 0) throw new NoCounterpart('allows every peer');
  const ports = portsOf(rule, side, source);
  return peers.flatMap((peer) => peerOf(peer, source).map((converted) => ({ ...converted, ...ports })));
}

function peerOf(peer: Fields, source: RelatedObjects): readonly Fields[] {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (ipBlock !== undefined) {
    const { cidr, except } = fieldsAt(ipBlock);
    if (except !== undefined) throw new NoCounterpart('excludes a part of an address range');
    return [{ cidr }];
  }
  const namespaces = namespaceSelector === undefined ? undefined : namespacesIn(namespaceSelector);
  const isEveryPod = podSelector === undefined || isEmpty(podSelector);
  if (isEveryPod) return (namespaces ?? [source.namespace]).map((project) => ({ project }));
  if (namespaces !== undefined && namespaces.join() !== source.namespace)
    throw new NoCounterpart('selects pods of another namespace by labels');
  return workloadsOf(podSelector, source).map((workload) => ({ workload }));
}

/** Returns whether a peer is in the namespace of the cluster's DNS. Throws `NoCounterpart` if its namespace has no name. */
export const isDnsServer = ({ namespaceSelector }: Fields, { cluster }: RelatedObjects): boolean =>
  namespaceSelector !== undefined &&
  namespacesIn(namespaceSelector).join() === cluster.platform.spec.network.dnsNamespace;

/** Returns the namespaces that a selector names. */
function namespacesIn(selector: unknown): readonly string[] {
  const { [namespaceKey]: name, ...others } = labelsAt(selector, 'matchLabels');
  const [expression, ...more] = entriesAt(selector, 'matchExpressions');
  const isList = expression?.['key'] === namespaceKey && expression['operator'] === 'In' && more.length === 0;
  const listed = isList ? (valueAt(expression, ['values']) as readonly unknown[] | undefined) : undefined;
  if (Object.keys(others).length > 0 || (expression !== undefined && !Array.isArray(listed)) || (name && listed))
    throw new NoCounterpart('selects namespaces by other labels than their names');
  const names = name === undefined ? (listed ?? []).map(String) : [name];
  if (names.length === 0) throw new NoCounterpart('allows all namespaces');
  return names;
}

/** Returns the names of the workloads of the namespace whose pods a selector selects. */
function workloadsOf(selector: unknown, { peers }: RelatedObjects): readonly string[] {
  const selected = peers.filter(({ podLabels }) => podLabels.some((labels) => selects(selector, labels)));
  const other = selected.find(({ isImported }) => !isImported);
  if (other) throw new NoCounterpart(`selects pods of ${other.title} (not imported)`);
  if (selected.length === 0) throw new NoCounterpart('selects pods of no workload that is read here');
  return [...new Set(selected.map(({ name }) => name))].sort();
}

/** Returns the ports of a rule, by number. */
function portsOf(rule: Fields, side: 'from' | 'to', source: RelatedObjects): Fields {
  const ports = entriesAt(rule, 'ports').map((entry) => {
    const { port, protocol = 'TCP', endPort } = entry;
    if (endPort !== undefined || port === undefined || protocol === 'SCTP')
      throw new NoCounterpart('has a range of ports, or SCTP');
    const number = typeof port === 'number' ? port : side === 'from' ? numberOf(String(port), source) : undefined;
    if (number === undefined) throw new NoCounterpart(`has the port ${String(port)}, whose number is not known`);
    return number;
  });
  return fieldIfSet('ports', [...new Set(ports)]);
}

/** Returns the number of a named port of the workload's own containers. */
const numberOf = (name: string, { object }: RelatedObjects): number | undefined =>
  templatesOf(object)
    .flatMap((template) => entriesAt(template, 'spec', 'containers'))
    .flatMap((container) => entriesAt(container, 'ports'))
    .filter((port) => textAt(port, 'name') === name)
    .map((port) => numberAt(port, 'containerPort'))[0];
