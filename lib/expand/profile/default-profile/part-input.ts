import { kindsWith, type SpecInput } from '../../../api';

/** Part of a runtime profile, as written in its manifest. */
export type PartInput = SpecInput<'RuntimeProfile'>['parts'][number];

/** Container that a part adds to pods. */
export type PartSidecar = NonNullable<NonNullable<PartInput['pod']>['sidecars']>[number];

/** Kinds whose pods get sidecars; those that run on every node share its network. */
export const appKinds = kindsWith('perNode', false);

/** Kinds whose pods clients reach through a load balancer. */
export const servingKinds = kindsWith('serves', true);

/** User and group ID of injected containers: `nonroot` of distroless images, unused by other images. */
const nonRoot = 65532;

/** CPU request in millicores; memory request and limit in MiB. */
interface Cost {
  readonly cpu: number;
  readonly memory: number;
  readonly memoryLimit: number;
}

/** Returns a security context without privileges and with a read-only root file system; user 0 is only for files that root owns. */
export const confined = (user: number, group?: number): NonNullable<PartSidecar['securityContext']> => ({
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
  ...(group !== undefined && { runAsGroup: group }),
  runAsNonRoot: user !== 0,
  runAsUser: user,
  seccompProfile: { type: 'RuntimeDefault' },
});

/** Returns a container that conforms to Pod Security "restricted" and sets its resources; without a CPU limit, which would only throttle it. */
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
