import { type FieldPath, type Problem } from '../../api';
import { parseKubernetesVersion } from './kubernetes-version';

/** A component and its Kubernetes version. */
export interface Versioned {
  readonly name: string;
  readonly version: string;
}

/** Current and target versions. */
export interface VersionSkewInput {
  /** API servers by control plane node. */
  readonly apiServers: readonly Versioned[];
  /** Controller managers and schedulers, which use the API server of their own node and are replaced with it. */
  readonly components: readonly (Versioned & { readonly node: string })[];
  /** Kubelets by node, except those of control plane nodes, which are replaced with their API server. */
  readonly kubelets: readonly Versioned[];
  /** Target versions of the control plane nodes to replace. */
  readonly controlPlaneTargets: readonly Versioned[];
  /** Target versions of the pools to replace. */
  readonly poolTargets: readonly Versioned[];
}

interface ParsedVersion {
  readonly name: string;
  readonly minor: number;
  readonly text: string;
}

/** Maximum minor versions that a kubelet may be behind its API server (version skew policy, since 1.28). */
const kubeletLag = 3;

/** Returns the violations of the Kubernetes version skew policy by a roll. */
export function skewProblems(input: VersionSkewInput): readonly Problem[] {
  const problems: Problem[] = [];
  const parse = (list: readonly Versioned[], field: string): ParsedVersion[] =>
    list.flatMap(({ name, version }) => {
      const known = parseKubernetesVersion(version);
      if (!known) problems.push(invalidVersion([field, name], version));
      return known ? [{ name, ...known }] : [];
    });
  const servers = parse(input.apiServers, 'apiServers');
  const kubelets = parse(input.kubelets, 'kubelets');
  const controlPlaneTargets = parse(input.controlPlaneTargets, 'controlPlane');
  const poolTargets = parse(input.poolTargets, 'pools');
  if (servers.length === 0) return problems;
  const [oldest, newest] = [lowest(servers), highest(servers)];
  const found = [
    ...spread(servers, oldest, newest),
    ...controlPlaneTargets.flatMap((target) => controlPlaneTarget(target, oldest, newest)),
    ...input.components.flatMap((one) =>
      parse([one], 'components').flatMap((known) =>
        componentSkew(known, servers.find(({ name }) => name === one.node) ?? oldest),
      ),
    ),
    ...kubelets.flatMap((one) => kubeletSkew(one, oldest, highest([...servers, ...controlPlaneTargets]))),
    ...poolTargets.flatMap((one) => poolTarget(one, servers, controlPlaneTargets)),
  ];
  return [...problems, ...found];
}

const lowest = (list: readonly ParsedVersion[]): ParsedVersion => list.reduce((a, b) => (b.minor < a.minor ? b : a));
const highest = (list: readonly ParsedVersion[]): ParsedVersion => list.reduce((a, b) => (b.minor > a.minor ? b : a));

const invalidVersion = (path: FieldPath, value: string): Problem => ({
  code: 'bad-format',
  path,
  value,
  reason: 'is not a Kubernetes version',
  remedy: 'use a version such as 1.36.3',
});

function spread(servers: readonly ParsedVersion[], oldest: ParsedVersion, newest: ParsedVersion): Problem[] {
  if (newest.minor - oldest.minor <= 1) return [];
  return servers
    .filter(({ minor }) => minor === newest.minor)
    .map(({ name, text }) => ({
      code: 'invalid-combination',
      path: ['apiServers', name],
      value: text,
      reason: `API servers may differ by one minor version, and ${oldest.name} runs ${oldest.text}`,
      remedy: `upgrade ${oldest.name} first, one minor version at a time`,
    }));
}

function controlPlaneTarget(
  { name, minor, text }: ParsedVersion,
  oldest: ParsedVersion,
  newest: ParsedVersion,
): Problem[] {
  const problem = { path: ['controlPlane', name], value: text } as const;
  if (minor - oldest.minor > 1)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `is ${minor - oldest.minor} minor versions ahead of the API server of ${oldest.name}, ${oldest.text}; API servers are upgraded one minor version at a time`,
        remedy: `roll to 1.${oldest.minor + 1} first`,
      },
    ];
  if (minor < newest.minor)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `is older than the API server of ${newest.name}, ${newest.text}; an older API server may not be able to read what a newer one has stored`,
        remedy: `use an image with 1.${newest.minor}, or restore a snapshot of etcd from before the upgrade`,
      },
    ];
  return [];
}

function componentSkew({ name, minor, text }: ParsedVersion, server: ParsedVersion): Problem[] {
  const problem = { path: ['components', name], value: text } as const;
  if (minor > server.minor)
    return [
      {
        ...problem,
        code: 'invalid-combination',
        reason: `is newer than the API server of ${server.name}, ${server.text}`,
        remedy: `upgrade the API server of ${server.name} to 1.${minor} first`,
      },
    ];
  if (server.minor - minor > 1)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `is more than one minor version older than its API server on ${server.name}, ${server.text}`,
        remedy: `upgrade it to 1.${server.minor} first`,
      },
    ];
  return [];
}

function kubeletSkew({ name, minor, text }: ParsedVersion, oldest: ParsedVersion, newest: ParsedVersion): Problem[] {
  const problem = { path: ['kubelets', name], value: text } as const;
  if (minor > oldest.minor)
    return [
      {
        ...problem,
        code: 'invalid-combination',
        reason: `is newer than the API server of ${oldest.name}, ${oldest.text}`,
        remedy: `replace that machine with one that runs 1.${oldest.minor} or older, or upgrade the control plane first`,
      },
    ];
  if (newest.minor - minor > kubeletLag)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `would be more than ${kubeletLag} minor versions older than the API server of ${newest.name}, ${newest.text}`,
        remedy: `roll its pool to 1.${newest.minor - kubeletLag} or newer first`,
      },
    ];
  return [];
}

/** Checks pools against the versions that the control plane nodes have after their roll. */
function poolTarget(
  { name, minor, text }: ParsedVersion,
  servers: readonly ParsedVersion[],
  controlPlaneTargets: readonly ParsedVersion[],
): Problem[] {
  const replaced = new Set(controlPlaneTargets.map((target) => target.name));
  const after = [...servers.filter((server) => !replaced.has(server.name)), ...controlPlaneTargets];
  const [oldest, newest] = [lowest(after), highest(after)];
  const problem = { path: ['pools', name], value: text } as const;
  if (minor > oldest.minor)
    return [
      {
        ...problem,
        code: 'invalid-combination',
        reason: `is newer than the API server of ${oldest.name}, which will have ${oldest.text}`,
        remedy: `upgrade the control plane to 1.${minor} first, or use an image with 1.${oldest.minor}`,
      },
    ];
  if (newest.minor - minor > kubeletLag)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `is more than ${kubeletLag} minor versions older than the API server of ${newest.name}, ${newest.text}`,
        remedy: `use an image with 1.${newest.minor - kubeletLag} or newer`,
      },
    ];
  return [];
}
