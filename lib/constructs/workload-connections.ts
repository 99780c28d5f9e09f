import { type ManifestInput, type Problem, type Workload, type WorkloadKind } from '../api';
import { restrictionsOf, withPeers, type AccessPeer, type AddedPeers, type ProjectContext } from '../expand';

/** Fields of a spec that connections change. */
interface ConnectedFields {
  readonly access?: Workload['spec']['access'];
  readonly config?: { readonly env?: Readonly<Record<string, string>> };
}

/** WorkloadConnections of a workload to and from others. */
export class WorkloadConnections<K extends WorkloadKind> {
  private readonly peers: { readonly [direction in keyof AddedPeers]: AccessPeer[] } = { from: [], to: [] };
  private readonly env: Record<string, string> = {};

  constructor(
    /** The manifest without its connections. */
    private readonly written: ManifestInput<K>,
  ) {}

  /** Adds a workload that connects to this one, or that this one connects to. */
  add(direction: keyof AddedPeers, peer: AccessPeer): void {
    this.peers[direction].push(peer);
  }

  /** Sets variables; returns problems of those that are set to another value. */
  setVariables(env: Readonly<Record<string, string>>): readonly Problem[] {
    const { config } = this.written.spec as ConnectedFields;
    const present: Readonly<Record<string, string>> = { ...config?.env, ...this.env };
    const problems = Object.entries(env).flatMap(([name, value]) =>
      Object.hasOwn(present, name) && present[name] !== value ? [variableTwice(name)] : [],
    );
    Object.assign(this.env, env);
    return problems;
  }

  /** Returns the manifest with its connections; the written one if they change nothing. */
  manifest(context: ProjectContext): ManifestInput<K> {
    const { access, config } = this.written.spec as ConnectedFields;
    const allowed = withPeers(access, this.peers, this.written.metadata.namespace ?? '', context);
    const variables = Object.keys(this.env).sort();
    if (allowed === access && variables.length === 0) return this.written;
    const env = Object.fromEntries(variables.map((name) => [name, this.env[name]]));
    const spec = {
      ...this.written.spec,
      ...(variables.length > 0 && { config: { ...config, env: { ...config?.env, ...env } } }),
      ...(allowed && { access: allowed }),
    };
    return { ...this.written, spec };
  }
}

/**
 * Returns the problem of a connection from or to pods in the network of their nodes: peers cannot list them by workload.
 * There is none if the workload does not restrict the direction, or lists an address range, such as that of the nodes.
 */
export function nodePeerProblem(
  direction: keyof AddedPeers,
  access: unknown,
  other: string,
  context: ProjectContext,
): readonly Problem[] {
  const restriction = restrictionsOf(access as ConnectedFields['access'], context)[direction];
  if (!restriction || restriction.some(({ cidr }) => cidr !== undefined)) return [];
  return [
    {
      code: 'invalid-combination',
      path: ['spec', 'access', direction],
      reason: `cannot list ${other}, whose pods have the addresses of their nodes`,
      remedy: 'add the address range of the nodes, such as { cidr: "10.0.0.0/16" }',
    },
  ];
}

const variableTwice = (name: string): Problem => ({
  code: 'duplicate',
  path: ['spec', 'config', 'env', name],
  reason: 'is set twice, to different values',
  remedy: 'use another name for one of them',
});
