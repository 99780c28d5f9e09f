import { type FieldPath, type Problem } from '../../api';
import { readKubernetesVersion } from './kubernetes-version';

/** A program and the version of Kubernetes that it is of, as it says it. */
export interface Versioned {
  readonly name: string;
  readonly version: string;
}

/** What runs, and what is to run. */
export interface SkewFacts {
  /** API servers by their master. */
  readonly apiServers: readonly Versioned[];
  /** Controller managers and schedulers. Each talks to the API server of its own master, and is replaced with it. */
  readonly components: readonly (Versioned & { readonly master: string })[];
  /** Kubelets by their node, those of masters apart: they too are replaced with their own API server. */
  readonly kubelets: readonly Versioned[];
  /** What masters get that are to be replaced; empty where none is. */
  readonly masterTargets: readonly Versioned[];
  /** What the machines of pools get that are to be replaced. */
  readonly poolTargets: readonly Versioned[];
}

interface Read {
  readonly name: string;
  readonly minor: number;
  readonly text: string;
}

/** How many minors a kubelet may be behind its API server (kubernetes.io/releases/version-skew-policy, since 1.28). */
const kubeletLag = 3;

/** All that Kubernetes' rules about versions say against a roll. */
export function skewProblems(facts: SkewFacts): readonly Problem[] {
  const problems: Problem[] = [];
  const read = (list: readonly Versioned[], at: string): Read[] =>
    list.flatMap(({ name, version }) => {
      const known = readKubernetesVersion(version);
      if (!known) problems.push(unreadable([at, name], version));
      return known ? [{ name, ...known }] : [];
    });
  const servers = read(facts.apiServers, 'apiServers');
  const kubelets = read(facts.kubelets, 'kubelets');
  const masterTargets = read(facts.masterTargets, 'masters');
  const poolTargets = read(facts.poolTargets, 'pools');
  if (servers.length === 0) return problems;
  const [oldest, newest] = [lowest(servers), highest(servers)];
  const found = [
    ...spread(servers, oldest, newest),
    ...masterTargets.flatMap((target) => masterTarget(target, oldest, newest)),
    ...facts.components.flatMap((one) =>
      read([one], 'components').flatMap((known) =>
        componentSkew(known, servers.find(({ name }) => name === one.master) ?? oldest),
      ),
    ),
    ...kubelets.flatMap((one) => kubeletSkew(one, oldest, highest([...servers, ...masterTargets]))),
    ...poolTargets.flatMap((one) => poolTarget(one, servers, masterTargets)),
  ];
  return [...problems, ...found];
}

const lowest = (list: readonly Read[]): Read => list.reduce((a, b) => (b.minor < a.minor ? b : a));
const highest = (list: readonly Read[]): Read => list.reduce((a, b) => (b.minor > a.minor ? b : a));

const unreadable = (path: FieldPath, value: string): Problem => ({
  code: 'bad-format',
  path,
  value,
  reason: 'is no version of Kubernetes',
  remedy: 'look what runs there; a version is written as 1.36.3',
});

function spread(servers: readonly Read[], oldest: Read, newest: Read): Problem[] {
  if (newest.minor - oldest.minor <= 1) return [];
  return servers
    .filter(({ minor }) => minor === newest.minor)
    .map(({ name, text }) => ({
      code: 'contradiction',
      path: ['apiServers', name],
      value: text,
      reason: `API servers may be one minor apart, and that of ${oldest.name} is ${oldest.text}`,
      remedy: `bring ${oldest.name} up one minor at a time first`,
    }));
}

function masterTarget({ name, minor, text }: Read, oldest: Read, newest: Read): Problem[] {
  const problem = { path: ['masters', name], value: text } as const;
  if (minor - oldest.minor > 1)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `is ${minor - oldest.minor} minors ahead of the API server of ${oldest.name}, ${oldest.text}; API servers are upgraded one minor at a time`,
        remedy: `roll to 1.${oldest.minor + 1} first`,
      },
    ];
  if (minor < newest.minor)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `is older than the API server of ${newest.name}, ${newest.text}; what that has stored an older one may not read`,
        remedy: `take an image with 1.${newest.minor}, or restore a snapshot of etcd from before the upgrade`,
      },
    ];
  return [];
}

function componentSkew({ name, minor, text }: Read, server: Read): Problem[] {
  const problem = { path: ['components', name], value: text } as const;
  if (minor > server.minor)
    return [
      {
        ...problem,
        code: 'contradiction',
        reason: `is newer than the API server of ${server.name}, ${server.text}`,
        remedy: `bring the API server of ${server.name} to 1.${minor} first`,
      },
    ];
  if (server.minor - minor > 1)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `may be one minor older than its API server, that of ${server.name}, which is ${server.text}`,
        remedy: `bring it to 1.${server.minor} first`,
      },
    ];
  return [];
}

function kubeletSkew({ name, minor, text }: Read, oldest: Read, newest: Read): Problem[] {
  const problem = { path: ['kubelets', name], value: text } as const;
  if (minor > oldest.minor)
    return [
      {
        ...problem,
        code: 'contradiction',
        reason: `is newer than the API server of ${oldest.name}, ${oldest.text}`,
        remedy: `replace that machine by one with 1.${oldest.minor} or older, or upgrade the masters first`,
      },
    ];
  if (newest.minor - minor > kubeletLag)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `may be ${kubeletLag} minors older than API servers, and ${newest.name} gets ${newest.text}`,
        remedy: `roll its pool to 1.${newest.minor - kubeletLag} or newer first`,
      },
    ];
  return [];
}

/** Pools are rolled after masters: what counts is what those have then. */
function poolTarget({ name, minor, text }: Read, servers: readonly Read[], masterTargets: readonly Read[]): Problem[] {
  const replaced = new Set(masterTargets.map((target) => target.name));
  const after = [...servers.filter((server) => !replaced.has(server.name)), ...masterTargets];
  const [oldest, newest] = [lowest(after), highest(after)];
  const problem = { path: ['pools', name], value: text } as const;
  if (minor > oldest.minor)
    return [
      {
        ...problem,
        code: 'contradiction',
        reason: `is newer than the API server of ${oldest.name}, which will have ${oldest.text}`,
        remedy: `upgrade the masters to 1.${minor} first, or take an image with 1.${oldest.minor}`,
      },
    ];
  if (newest.minor - minor > kubeletLag)
    return [
      {
        ...problem,
        code: 'out-of-range',
        reason: `is more than ${kubeletLag} minors older than the API server of ${newest.name}, ${newest.text}`,
        remedy: `take an image with 1.${newest.minor - kubeletLag} or newer`,
      },
    ];
  return [];
}
