import { kindsWith, type SpecInput } from '../../../api';

/** A part of the runtime profile, as it is written. */
export type PartInput = SpecInput<'RuntimeProfile'>['parts'][number];

/** A container that a part adds to pods. */
export type PartSidecar = NonNullable<NonNullable<PartInput['pod']>['sidecars']>[number];

/** Kinds whose pods get sidecars; those that run on every node share its network. */
export const appKinds = kindsWith('perNode', false);

/** Kinds whose pods clients reach through a load balancer. */
export const servingKinds = kindsWith('serves', true);

/** Group and user of injected containers; `nonroot` of the distroless images, unknown to any other image. */
const nonRoot = 65532;

/** CPU request in millicores, memory request and memory limit in MiB. */
interface Cost {
  readonly cpu: number;
  readonly memory: number;
  readonly memoryLimit: number;
}

/** What a container that needs no rights may do: nothing beyond its user and group, on a read-only root; user 0 only where it must read what is root's. */
export const confined = (user: number, group?: number): NonNullable<PartSidecar['securityContext']> => ({
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
  ...(group !== undefined && { runAsGroup: group }),
  runAsNonRoot: user !== 0,
  runAsUser: user,
  seccompProfile: { type: 'RuntimeDefault' },
});

/** A container that passes Pod Security "restricted" with a read-only root, and says what it costs; no CPU limit, which would only throttle it. */
export const hardened = (container: PartSidecar, cost: Cost, user: number = nonRoot): PartSidecar => ({
  ...container,
  imagePullPolicy: 'IfNotPresent',
  resources: {
    requests: { cpu: `${cost.cpu}m`, memory: `${cost.memory}Mi` },
    limits: { memory: `${cost.memoryLimit}Mi` },
  },
  securityContext: confined(user, user),
  terminationMessagePolicy: 'FallbackToLogsOnError',
});
