import { type PodSpec, type PodTemplateSpec, valueAt } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type LiveObject } from '../../kube';

interface Named {
  readonly name: string;
}

/** Path of the pod template, by kind. */
const templatePaths: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

/** Returns the pod template of an object; undefined for kinds without pods. */
export const templateIn = (object: KubernetesObject | LiveObject): PodTemplateSpec | undefined =>
  valueAt(object, templatePaths[object.kind] ?? ['none']) as PodTemplateSpec | undefined;

/**
 * Returns the parts of the platform's environment that a pod or pod template lacks: containers of the runtime profile,
 * and variables of any container.
 */
export function missingFrom(live: PodSpec, desired: PodSpec): string[] {
  return (['initContainers', 'containers'] as const).flatMap((field) =>
    (desired[field] ?? []).flatMap((container) => {
      const found = (live[field] ?? []).find(({ name }) => name === container.name);
      if (!found) return [`container ${container.name}`];
      return missingNames(container.env ?? [], found.env ?? []).map(
        (name) => `variable ${name} of container ${container.name}`,
      );
    }),
  );
}

const missingNames = (desired: readonly Named[], live: readonly Named[]): string[] =>
  desired.map(({ name }) => name).filter((name) => !live.some((one) => one.name === name));
