import { load } from 'js-yaml';

/** Fields of a kubeadm manifest that determine what runs and which files it sees. */
export interface StaticPod {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** Probe that the kubelet runs. */
  readonly probes: readonly string[];
  /** Termination grace period in seconds. */
  readonly grace: number;
}

/** A host path that is mounted into the container. */
export interface Mount {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly isReadOnly: boolean;
}

interface Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly hostNetwork?: boolean;
    readonly terminationGracePeriodSeconds?: number;
    readonly containers: readonly [Container, ...Container[]];
    readonly volumes?: readonly {
      readonly name: string;
      readonly hostPath: { readonly path: string; type?: string };
    }[];
  };
}

interface Container {
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

interface Probe {
  readonly httpGet: { readonly host: string; readonly path: string; readonly port: number | string; scheme: string };
}

/** Parses a manifest. Throws if it cannot run outside of a container. */
export function readStaticPod(text: string): StaticPod {
  const { metadata, spec } = load(text) as Manifest;
  const [container] = spec.containers;
  if (spec.hostNetwork !== true || spec.containers.length !== 1)
    throw new Error(`${metadata.name} does not use the host network, or has several containers`);
  const { command, env = [], ports = [], volumeMounts = [] } = container;
  const probeUrl = ({ httpGet }: Probe): string => {
    const port = ports.find(({ name }) => name === httpGet.port)?.containerPort ?? httpGet.port;
    return `${httpGet.scheme.toLowerCase()}://${httpGet.host}:${port}${httpGet.path}`;
  };
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
  return {
    name: metadata.name,
    command,
    environment: Object.fromEntries(env.map(({ name, value = '' }) => [name, value])),
    mounts: volumeMounts.map(({ name, mountPath, readOnly = false }): Mount => {
      const volume = spec.volumes?.find((one) => one.name === name);
      if (!volume) throw new Error(`${metadata.name} has no volume ${name}`);
      return { from: volume.hostPath.path, to: mountPath, type: volume.hostPath.type ?? '', isReadOnly: readOnly };
    }),
    grace: spec.terminationGracePeriodSeconds ?? 30,
    probes: [...new Set(probes.flatMap((probe) => (probe ? [probeUrl(probe)] : [])))],
  };
}

/**
 * Returns the shell script that runs a static pod in a root with only the mounts of its manifest.
 * Files that the manifest does not mount are missing, as in a container.
 */
export function containerScript({ name, command, environment, mounts }: StaticPod): string {
  const root = `/run/containers/${name}`;
  const [program = ''] = command;
  const programPath = `/usr/local/bin/${program}`;
  return [
    'set -e',
    `mkdir -p ${root}`,
    `mount -t tmpfs tmpfs ${root}`,
    `mkdir -p ${root}/usr/local/bin ${root}/proc ${root}/dev ${root}/tmp`,
    `mount --rbind /proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    `touch ${root}${programPath}`,
    `mount --bind ${programPath} ${root}${programPath}`,
    ...mounts.flatMap((mount) => mountLines(root, mount)),
    `exec env -i PATH=/usr/local/bin:/usr/bin:/bin ${variables(environment)} /usr/sbin/chroot ${root} ${command.map(quote).join(' ')}`,
  ].join('\n');
}

function mountLines(root: string, { from, to, type, isReadOnly }: Mount): string[] {
  const [source, target] = [quote(from), quote(`${root}${to}`)];
  const isFile = type === 'File' || type === 'FileOrCreate';
  return [
    ...(type === 'DirectoryOrCreate' ? [`mkdir -p ${source}`] : []),
    ...(type === 'FileOrCreate' ? [`touch ${source}`] : []),
    isFile ? `mkdir -p $(dirname ${target}); touch ${target}` : `mkdir -p ${target}`,
    `mount --rbind ${source} ${target}`,
    ...(isReadOnly ? [`mount -o remount,bind,ro ${target}`] : []),
  ];
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const variables = (environment: Readonly<Record<string, string>>): string =>
  Object.entries(environment)
    .map(([name, value]) => quote(`${name}=${value}`))
    .join(' ');
