import { type Container, type EnvVar, type Volume, type VolumeMount, type Workload } from '../../api';
import { configFilesOf } from '../objects/config-files';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { partContent } from './part-content';
import { type ContainerDefaults } from '../pods/resources';
import { partsOf } from './runtime';
import { type ProjectContext } from '../project-context';

/** Fields that the runtime profile adds to a pod. */
export interface Injection {
  readonly initContainers: readonly Container[];
  readonly env: readonly EnvVar[];
  readonly volumes: readonly Volume[];
  readonly mounts: readonly VolumeMount[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly objects: readonly KubernetesObject[];
}

/**
 * Returns the fields that the parts of the profile add to the pods of a workload, in start order. A pod that completes,
 * such as of a hook, gets no part that serves its clients.
 */
export function injectionOf(
  workload: Workload,
  context: ProjectContext,
  tier: string,
  amounts: ContainerDefaults,
  completes = false,
): Injection {
  const injection = {
    initContainers: [] as Container[],
    env: [] as EnvVar[],
    volumes: [] as Volume[],
    mounts: [] as VolumeMount[],
    labels: {} as Record<string, string>,
    annotations: {} as Record<string, string>,
    objects: [] as KubernetesObject[],
  };
  for (const prepared of partsOf(workload, tier, context.runtime, completes)) {
    const { name, pod } = prepared.part;
    const content = partContent(prepared, amounts, workload.spec.sidecars?.[name]);
    injection.initContainers.push(...content.containers);
    injection.env.push(...(pod?.env ?? []));
    injection.volumes.push(...(pod?.volumes ?? []));
    injection.mounts.push(...(pod?.volumeMounts ?? []));
    Object.assign(injection.labels, pod?.labels);
    Object.assign(injection.annotations, pod?.annotations);
    if (content.files) {
      const files = configFilesOf(workload.metadata.name, name, content.files);
      injection.volumes.push(files.volume);
      injection.objects.push(files.object);
    }
  }
  return injection;
}
