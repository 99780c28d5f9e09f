import { type PodSpec, type PodTemplateSpec, valueAt } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type LiveObject } from '../../kube';

interface Named {
  readonly name: string;
}

/** Where kinds keep the template of their pods. */
const templatePaths: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

/** Template of the pods of an object; undefined for kinds without pods. */
export const templateIn = (object: KubernetesObject | LiveObject): PodTemplateSpec | undefined =>
  valueAt(object, templatePaths[object.kind] ?? ['none']) as PodTemplateSpec | undefined;

/**
 * What of the platform's environment is missing in a pod, or in the template that pods are made of: containers of the
 * runtime profile, and variables of any container. Nothing where all that the platform promises is there.
 */
export function missingFrom(live: PodSpec, wanted: PodSpec): string[] {
  return (['initContainers', 'containers'] as const).flatMap((field) =>
    (wanted[field] ?? []).flatMap((container) => {
      const found = (live[field] ?? []).find(({ name }) => name === container.name);
      if (!found) return [`container ${container.name}`];
      return absent(container.env ?? [], found.env ?? []).map(
        (name) => `variable ${name} of container ${container.name}`,
      );
    }),
  );
}

const absent = (wanted: readonly Named[], live: readonly Named[]): string[] =>
  wanted.map(({ name }) => name).filter((name) => !live.some((one) => one.name === name));
