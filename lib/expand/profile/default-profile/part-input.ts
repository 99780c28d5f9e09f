import { kindsWith, type SpecInput } from '../../../api';

/** Part of a runtime profile, as written in its manifest. */
export type PartInput = SpecInput<'RuntimeProfile'>['parts'][number];

/** Container that a part adds to pods. */
export type PartSidecar = NonNullable<NonNullable<PartInput['pod']>['sidecars']>[number];

/** Kinds whose pods get sidecars. Kinds that run on every node are excluded, because they can use the node's network. */
export const appKinds = kindsWith('perNode', false);

/** Kinds with pods that clients reach through a load balancer. */
export const servingKinds = kindsWith('serves', true);

/** User and group ID of injected containers: `nonroot` in distroless images, unused in other images. */
const nonRoot = 65532;

/** CPU request in millicores; memory request and limit in MiB. */
interface Cost {
  readonly cpu: number;
  readonly memory: number;
  readonly memoryLimit: number;
}

/** Returns a security context without privileges and with a read-only root file system. Use user 0 only to read files that root owns. */
export const confined = (user: number, group?: number): NonNullable<PartSidecar['securityContext']> => ({
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
  ...(group !== undefined && { runAsGroup: group }),
  runAsNonRoot: user !== 0,
  runAsUser: user,
  seccompProfile: { type: 'RuntimeDefault' },
});

/** Returns a container with resources that conforms to Pod Security "restricted". It has no CPU limit, which would only throttle it. */
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
