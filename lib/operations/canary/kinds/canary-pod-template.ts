import { type CanaryWorkloadOptions } from './canary-kind';

/** Port of the canary's container. */
export const canaryPort = 8080;

/** Exceeds the quota of any project. */
const hugeMemory = '900Ti';
const smallResources = { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '96Mi' } };

/** Returns the pod template of a canary workload whose container runs a subcommand of the canary's image. */
export function canaryPodTemplate(
  { image, version, large = false }: CanaryWorkloadOptions,
  subcommand: 'serve' | 'work',
  podSpec: object = {},
) {
  const resources = large
    ? { requests: { ...smallResources.requests, memory: hugeMemory }, limits: { memory: hugeMemory } }
    : smallResources;
  const container = {
    name: 'canary',
    image,
    args: [subcommand],
    env: [{ name: 'CANARY_VERSION', value: version }],
    resources,
    ...(subcommand === 'serve' && {
      readinessProbe: { httpGet: { path: '/healthz', port: canaryPort }, periodSeconds: 2 },
    }),
  };
  return { spec: { securityContext: { runAsUser: 65532, runAsGroup: 65532 }, containers: [container], ...podSpec } };
}
