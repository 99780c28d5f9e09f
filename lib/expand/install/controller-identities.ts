import { isWorkloadKind, type PinionKind } from '../../api';

/** Name of the objects of the controller of workloads: Deployment, ServiceAccount, Service, roles, and Lease. */
export const controllerName = 'pinion-controller';
/** Name of the objects of the controller of Projects and the Platform. */
export const platformControllerName = 'pinion-platform-controller';

/** What a controller reconciles: workloads, or Projects and the Platform. */
export type ControllerScope = 'workloads' | 'platform';

/** Deployment of a controller, with a service account of its own. */
export interface ControllerIdentity {
  /** Name of its objects: Deployment, ServiceAccount, Service, roles, and Lease. */
  readonly name: string;
  readonly scopes: readonly ControllerScope[];
}

/** User names of the controllers; one user if a single controller does both. */
export type ControllerUsers = Readonly<Record<ControllerScope, string>>;

/**
 * Lists the controllers of an installation: one of workloads, and one of Projects and the Platform, so that neither can
 * do what the other does; or a single one.
 */
export const controllerIdentities = (isSingle = false): readonly ControllerIdentity[] =>
  isSingle
    ? [{ name: controllerName, scopes: ['workloads', 'platform'] }]
    : [
        { name: controllerName, scopes: ['workloads'] },
        { name: platformControllerName, scopes: ['platform'] },
      ];

const userOf = (namespace: string, name: string): string => `system:serviceaccount:${namespace}:${name}`;

/** Returns the user name of the service account of the controller of workloads. */
export const controllerUser = (namespace: string): string => userOf(namespace, controllerName);

/** Returns the user names of the controllers in a namespace. */
export const controllerUsers = (namespace: string, isSingle = false): ControllerUsers => ({
  workloads: controllerUser(namespace),
  platform: isSingle ? controllerUser(namespace) : userOf(namespace, platformControllerName),
});

/** Returns the scope whose controller reports a kind: that of workloads, which knows their pods, moves them in rollouts. */
export const scopeOf = (kind: PinionKind): ControllerScope =>
  isWorkloadKind(kind) || kind === 'PlatformRollout' ? 'workloads' : 'platform';
