import { type Workload } from '../../api';
import { type ProjectContext } from '../project-context';

/** Network access of a workload. */
type Access = NonNullable<Workload['spec']['access']>;

/** Peer of a workload: another one, and ports of the pods that are connected to. */
export interface AccessPeer {
  readonly project: string;
  readonly workload: string;
  readonly ports: readonly number[];
}

/** Peers to allow besides those of `access`. */
export interface AddedPeers {
  readonly from: readonly AccessPeer[];
  readonly to: readonly AccessPeer[];
}

/** Returns the lists of peers that restrict a workload: its own, or empty ones if the Platform denies by default. */
export function restrictionsOf(access: Access | undefined, { platform }: ProjectContext): Access {
  const byDefault = platform.spec.network.defaultDeny ? [] : undefined;
  return { from: access?.from ?? byDefault, to: access?.to ?? byDefault };
}

/**
 * Returns `access` with more peers.
 *
 * A direction that nothing restricts stays unrestricted: a first peer would close it for all others. The result does not
 * depend on the order of the added peers.
 */
export function withPeers(
  access: Access | undefined,
  { from, to }: AddedPeers,
  project: string,
  context: ProjectContext,
): Access | undefined {
  const own = restrictionsOf(access, context);
  const [allFrom, allTo] = [merged(own.from, from, project), merged(own.to, to, project)];
  if (!allFrom && !allTo) return access;
  return { ...access, ...(allFrom && { from: allFrom }), ...(allTo && { to: allTo }) };
}

type Peers = NonNullable<Access['from']>;

/** Returns peers with those that they lack, one for each workload; undefined if nothing is added. */
function merged(own: Peers | undefined, added: readonly AccessPeer[], project: string): Peers | undefined {
  if (!own || added.length === 0) return undefined;
  const missing = new Map<string, { readonly peer: AccessPeer; readonly ports: Set<number> }>();
  for (const peer of added) {
    const key = `${peer.project}/${peer.workload}`;
    const entry = missing.get(key) ?? { peer, ports: new Set() };
    for (const port of peer.ports) if (!own.some((one) => isAllowed(one, peer, port, project))) entry.ports.add(port);
    if (entry.ports.size > 0) missing.set(key, entry);
  }
  if (missing.size === 0) return undefined;
  const sorted = [...missing].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...own,
    ...sorted.map(([, { peer, ports }]) => ({
      ...(peer.project !== project && { project: peer.project }),
      workload: peer.workload,
      ports: [...ports].sort((a, b) => a - b),
    })),
  ];
}

const isAllowed = (own: Peers[number], { project, workload }: AccessPeer, port: number, ownProject: string): boolean =>
  own.cidr === undefined &&
  (own.project ?? ownProject) === project &&
  (own.workload === undefined || own.workload === workload) &&
  (own.ports?.includes(port) ?? true);
