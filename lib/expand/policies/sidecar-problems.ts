import { podTemplatesOf, type PodTemplate, type Problem, type Workload } from '../../api';
import { tierOf } from '../pods/placement';
import { partsOf, type RuntimePart } from '../profile/runtime';
import { expanderOf } from '../kinds/kind-expanders';
import { type ProjectContext } from '../project-context';

/** Reports part settings whose values have the wrong type or are not among the declared values. */
export function sidecarProblems(workload: Workload, context: ProjectContext, report: (problem: Problem) => void): void {
  for (const [name, options] of Object.entries(workload.spec.sidecars ?? {})) {
    const part = context.profile.spec.parts.find((candidate) => candidate.name === name);
    for (const [key, value] of Object.entries(options.config ?? {})) {
      const setting = part?.settings[key];
      if (!setting) continue;
      const path = ['spec', 'sidecars', name, 'config', key];
      if (!hasType(value, setting.type))
        report({
          code: 'wrong-type',
          path,
          value,
          reason: `is not ${describeType(setting.type)}`,
          remedy: `write ${describeType(setting.type)}`,
        });
      else if (setting.values && !setting.values.includes(String(value))) {
        report({
          code: 'unsupported-value',
          path,
          value,
          reason: 'is not a value of this setting',
          remedy: `use ${setting.values.join(' or ')}`,
        });
      }
    }
    if (options.mounts) volumeProblems(workload, name, options.mounts, report);
    if (options.mounts && part) mountPathProblems(part, options.mounts, report);
  }
  portProblems(workload, context, report);
}

/** Reports ports that parts already use, because the containers of a pod share one network. */
function portProblems(workload: Workload, context: ProjectContext, report: (problem: Problem) => void): void {
  const used = new Map<string, string>();
  for (const { part, initContainers, sidecars } of partsOf(workload, tierOf(workload, context), context.runtime)) {
    for (const { ports = [] } of [...initContainers, ...sidecars])
      for (const { containerPort, protocol = 'TCP' } of ports) used.set(`${containerPort}/${protocol}`, part.name);
  }
  for (const { template, path } of podTemplatesOf(workload)) {
    template.spec.containers.forEach(({ ports = [] }, container) =>
      ports.forEach(({ containerPort, protocol = 'TCP' }, index) => {
        const part = used.get(`${containerPort}/${protocol}`);
        if (part === undefined) return;
        report({
          code: 'duplicate',
          path: [...path, 'spec', 'containers', container, 'ports', index, 'containerPort'],
          value: containerPort,
          reason: `is a port that the part ${part} listens on in the same pod`,
          remedy: 'listen on another port; parts use 19100 and up',
          rule: 'sidecar-port',
          severity: 'warning',
        });
      }),
    );
  }
}

function volumeProblems(
  workload: Workload,
  name: string,
  mounts: readonly { readonly name: string }[],
  report: (problem: Problem) => void,
): void {
  const own = expanderOf(workload).mounts(workload.spec);
  const { template } = workload.spec;
  const pods = template ? [template] : podTemplatesOf(workload).map((located) => located.template);
  const volumesOf = ({ spec }: PodTemplate) => [...(spec.volumes ?? []), ...own].map((volume) => volume.name);
  mounts.forEach((mount, index) => {
    if (pods.every((pod) => volumesOf(pod).includes(mount.name))) return;
    report({
      code: 'unknown-reference',
      path: ['spec', 'sidecars', name, 'mounts', index, 'name'],
      value: mount.name,
      reason: 'is not a volume of the pod',
      remedy: 'use the name of one of template.spec.volumes',
    });
  });
}

/** Reports mounts at paths that a part already uses; Kubernetes rejects two mounts at the same path of a container. */
function mountPathProblems(
  { name, pod }: RuntimePart,
  mounts: readonly { readonly mountPath: string }[],
  report: (problem: Problem) => void,
): void {
  const containers = [...(pod?.initContainers ?? []), ...(pod?.sidecars ?? [])];
  const used = new Set([
    ...Object.keys(pod?.files ?? {}),
    ...(pod?.configFile === undefined ? [] : [pod.configFile]),
    ...containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ mountPath }) => mountPath)),
  ]);
  mounts.forEach(({ mountPath }, index) => {
    if (!used.has(mountPath)) return;
    report({
      code: 'duplicate',
      path: ['spec', 'sidecars', name, 'mounts', index, 'mountPath'],
      value: mountPath,
      reason: 'is already mounted by the part',
      remedy: 'choose another path',
      rule: 'mount-twice',
    });
  });
}

const hasType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeof value === type;
const describeType = (type: string): string =>
  type === 'integer' ? 'a whole number' : type === 'boolean' ? 'true or false' : 'a string';
