import { apiVersion, type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { imageNames } from './node-images';

type Part = ManifestInput<'RuntimeProfile'>['spec']['parts'][number];

/** Images of the default profile, and the image of the node that replaces each. */
export const profileImages = { 'docker.io/library/busybox:1.37.0': 'busybox' } as const;

/** Exit code of the crashing sidecar. */
export const sidecarExit = 7;

const waitForever = 'while :; do sleep 1 & wait $!; done';

/** Shell scripts that replace the programs of parts whose images are unavailable without a network. */
const programs: Readonly<Record<string, string>> = {
  certificates: `trap 'exit 0' TERM; echo "of $HOSTNAME" > /var/run/pinion/certificates/certificate.pem; ${waitForever}`,
  logs: `trap 'exit 0' TERM; touch /var/lib/pinion/logs/started; ${waitForever}`,
  metrics: `echo "the port is taken"; exit ${sidecarExit}`,
};

/** File that exists once such a program is ready. */
const readinessFiles: Readonly<Record<string, string>> = {
  certificates: '/var/run/pinion/certificates/certificate.pem',
  logs: '/var/lib/pinion/logs/started',
};

const partNamed = (name: string): Part => {
  const part = defaultProfile.spec.parts.find((one) => one.name === name);
  if (!part) throw new Error(`the default profile has no part ${name}`);
  return part;
};

type Sidecar = NonNullable<NonNullable<Part['pod']>['sidecars']>[number];

/** Volumes that node agents of a real cluster provide. */
const nodeSocket = 'pinion-workload-socket';

/** Returns the container with another program that does not need node agents. */
function withProgram(container: Sidecar, part: string): Sidecar {
  const { args: _args, livenessProbe: _live, startupProbe: _start, volumeMounts = [], ...rest } = container;
  const readinessFile = readinessFiles[part];
  return {
    ...rest,
    image: imageNames.busybox,
    command: ['/bin/sh', '-c', programs[part] ?? ''],
    volumeMounts: volumeMounts.filter(({ name }) => name !== nodeSocket),
    ...(readinessFile !== undefined && {
      startupProbe: { exec: { command: ['test', '-e', readinessFile] }, periodSeconds: 1, failureThreshold: 120 },
    }),
  };
}

/**
 * Returns a part of the default profile with another program in its sidecars, and without the volumes of node agents.
 */
function replacementPart(name: string): Part {
  const { pod, ...part } = partNamed(name);
  const volumes = pod?.volumes?.filter((volume) => volume.name !== nodeSocket);
  const sidecars = pod?.sidecars?.map((container) => withProgram(container, name)) ?? [];
  return {
    ...part,
    requires: (part.requires ?? []).filter((required) => required === 'identity'),
    needsValues: [],
    pod: { ...pod, sidecars, ...(volumes && { volumes }) },
  };
}

/**
 * A profile with the shape of the default one, for a node without a network: identity, configuration and traffic are
 * the
 * default's own, certificates and logs have another program, and metrics crash wherever they are injected.
 */
export const testProfile: ManifestInput<'RuntimeProfile'> = {
  ...defaultProfile,
  metadata: { name: 'test-1' },
  spec: {
    version: '1.0.0',
    ...(defaultProfile.spec.env && { env: defaultProfile.spec.env }),
    parts: [
      partNamed('identity'),
      replacementPart('certificates'),
      partNamed('configuration'),
      replacementPart('logs'),
      { ...replacementPart('metrics'), injection: 'OptIn' },
      partNamed('traffic'),
    ],
  },
};

/** Returns the built-in Platform with the test profile; traffic registration is on if a ZooKeeper is given. */
export const testPlatform = (zookeeper?: string): ManifestInput<'Platform'> => ({
  apiVersion,
  kind: 'Platform',
  metadata: { name: 'cluster' },
  spec: {
    ...defaultPlatform.spec,
    runtime: {
      profile: testProfile.metadata.name,
      images: { traffic: imageNames.registrar },
      ...(zookeeper !== undefined && { values: { zookeeper, region: 'test-region' } }),
    },
  },
});
