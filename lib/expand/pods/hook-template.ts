import { type Container, type DeploymentHook, type PodTemplate, type PodTemplateSpec } from '../../api';

/** Fields of the app's first container that a hook has too. */
const inheritedFields = [
  'image',
  'imagePullPolicy',
  'workingDir',
  'env',
  'envFrom',
  'volumeMounts',
  'resources',
  'securityContext',
] as const satisfies readonly (keyof Container)[];

/**
 * Returns the pod template of a hook: that of the workload with the hook in place of the app's containers. It has the
 * security context of the app's first container, so that it may do no more than the app.
 *
 * Labels of the template, and rules that place pods by labels, are omitted: hooks are not among the pods that serve.
 */
export function hookTemplate(template: PodTemplate, hook: DeploymentHook): PodTemplate {
  const { topologySpreadConstraints: _, affinity, containers, ...pod } = template.spec;
  const { nodeAffinity } = affinity ?? {};
  return {
    ...(template.metadata?.annotations && { metadata: { annotations: template.metadata.annotations } }),
    spec: {
      ...pod,
      ...(nodeAffinity && { affinity: { nodeAffinity } }),
      containers: [hookContainer(containers[0], hook)],
    },
  };
}

function hookContainer(first: Container | undefined, hook: DeploymentHook): Container {
  const inherited = Object.fromEntries(
    inheritedFields.flatMap((field) => (first?.[field] === undefined ? [] : [[field, first[field]]])),
  ) as Partial<Container>;
  const { name, image, command, args, env, resources } = hook;
  const own = Object.entries(env ?? {}).map(([variable, value]) => ({ name: variable, value }));
  const others = (inherited.env ?? []).filter((variable) => !Object.hasOwn(env ?? {}, variable.name));
  return {
    ...inherited,
    name,
    ...(image !== undefined && { image }),
    ...(command && { command }),
    ...(args && { args }),
    ...(others.length + own.length > 0 && { env: [...others, ...own] }),
    ...(resources && { resources }),
  };
}

/** Returns a pod template without mounts of volumes that it lacks: those that each member of a set has for itself. */
export function withoutMissingVolumes(template: PodTemplateSpec): PodTemplateSpec {
  const { spec } = template;
  if (!spec) return template;
  const volumes = new Set(spec.volumes?.map(({ name }) => name));
  const withKnownMounts = (container: Container): Container =>
    container.volumeMounts
      ? { ...container, volumeMounts: container.volumeMounts.filter(({ name }) => volumes.has(name)) }
      : container;
  return {
    ...template,
    spec: {
      ...spec,
      ...(spec.initContainers && { initContainers: spec.initContainers.map(withKnownMounts) }),
      containers: spec.containers.map(withKnownMounts),
    },
  };
}
