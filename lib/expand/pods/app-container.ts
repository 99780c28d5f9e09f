import { type Container, type EnvVar, type VolumeMount } from '../../api';
import { freeze } from '../objects/freeze';
import { deduplicateEnv } from '../profile/part-content';
import { withResources, type ContainerDefaults } from './resources';
import { withSecurityDefaults } from './security';
import { type ProjectContext } from '../project-context';

/** Platform defaults for the containers of an app. */
export interface ContainerContext {
  /** Variables that precede the container's own, which override them. */
  readonly inheritedEnv: readonly EnvVar[];
  readonly mounts: readonly VolumeMount[];
  readonly amounts: ContainerDefaults;
  readonly drainSeconds: number;
  readonly context: ProjectContext;
}

/** Returns a container of the app with platform defaults; its own fields take precedence. */
export function appContainer(container: Container, containerContext: ContainerContext, isMain: boolean): Container {
  const { inheritedEnv, mounts, amounts, drainSeconds, context } = containerContext;
  const env = deduplicateEnv(container.env ? [...inheritedEnv, ...container.env] : inheritedEnv);
  const volumeMounts = [
    ...mounts.filter((mount) => !container.volumeMounts?.some((own) => own.mountPath === mount.mountPath)),
    ...(container.volumeMounts ?? []),
  ];
  const drains = isMain && drainSeconds > 0 && container.lifecycle?.preStop === undefined;
  return withResources(
    withSecurityDefaults(
      {
        ...container,
        ...(env.length > 0 && { env }),
        ...(volumeMounts.length > 0 && { volumeMounts }),
        ...(drains && { lifecycle: { ...container.lifecycle, preStop: drainHook(drainSeconds) } }),
      },
      context,
    ),
    amounts,
  );
}

const drainHooks = new Map<number, { sleep: { seconds: number } }>();
function drainHook(seconds: number) {
  let hook = drainHooks.get(seconds);
  if (!hook) drainHooks.set(seconds, (hook = freeze({ sleep: { seconds } })));
  return hook;
}
