import { type KubernetesObject } from '../../lib/expand';
import { type SendableObject } from '../control-plane/client';

interface Template {
  readonly metadata?: object;
  readonly spec: { readonly volumes?: readonly unknown[] };
}

interface TemplateHolder {
  readonly template?: Template;
  readonly jobTemplate?: { readonly spec: { readonly template: Template } };
  readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
}

/** Returns the pods that controllers would create from an object, one per template, for admission checks. */
export function podsOf(object: KubernetesObject): readonly SendableObject[] {
  const { template, jobTemplate, volumeClaimTemplates = [] } = (object as { spec?: TemplateHolder }).spec ?? {};
  const podTemplate = template ?? jobTemplate?.spec.template;
  if (!podTemplate) return [];
  const claims = volumeClaimTemplates.map(({ metadata: { name } }) => ({
    name,
    persistentVolumeClaim: { claimName: `${name}-0` },
  }));
  return [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...podTemplate.metadata, name: 'example', namespace: object.metadata.namespace as string },
      spec: { ...podTemplate.spec, volumes: [...(podTemplate.spec.volumes ?? []), ...claims] },
    } as SendableObject,
  ];
}
