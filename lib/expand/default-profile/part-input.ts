import { type SpecInput } from '../../api';

/** A part of the runtime profile, as it is written. */
export type PartInput = SpecInput<'RuntimeProfile'>['parts'][number];

/** A container that a part adds to pods. */
export type PartContainer = NonNullable<NonNullable<PartInput['pod']>['sidecars']>[number];

/** Kinds whose pods are the app's own; daemons of the infrastructure share the node's network and stay without sidecars. */
export const appKinds = [
  'PinterestService',
  'PinterestJobSet',
  'PinterestCronJob',
  'PinterestTrainingJob',
  'PinterestStatefulSet',
] as const satisfies PartInput['kinds'];

/** Group and user of injected containers; `nonroot` of the distroless images, unknown to any other image. */
const nonRoot = 65532;

/** CPU request in millicores, memory request and memory limit in MiB. */
interface Cost {
  readonly cpu: number;
  readonly memory: number;
  readonly memoryLimit: number;
}

/** A container that passes Pod Security "restricted" with a read-only root, and says what it costs; no CPU limit, which would only throttle it. */
export const hardened = (container: PartContainer, cost: Cost, user: number = nonRoot): PartContainer => ({
  ...container,
  imagePullPolicy: 'IfNotPresent',
  resources: {
    requests: { cpu: `${cost.cpu}m`, memory: `${cost.memory}Mi` },
    limits: { memory: `${cost.memoryLimit}Mi` },
  },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    runAsGroup: user,
    runAsNonRoot: true,
    runAsUser: user,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  terminationMessagePolicy: 'FallbackToLogsOnError',
});
