import { ComponentResource, type ComponentResourceOptions, type Resource } from '@pulumi/pulumi';
import { type KubernetesObject } from '@pinion-platform/pinion';
import { type Stage } from '../plan';
import { createObjectResource } from './object-resource';

/** Arguments of `PlatformStage`. */
export interface PlatformStageArgs {
  readonly stage: Stage;
  /** Previous stage, which must be ready first. */
  readonly after?: PlatformStage;
}

/** Stage of a platform: its objects in order, workloads after the objects that they need. */
export class PlatformStage extends ComponentResource {
  constructor({ stage, after }: PlatformStageArgs, options?: ComponentResourceOptions) {
    super('pinion:platform:Stage', stage.name, {}, options);
    const before: Resource[] = after ? [after] : [];
    const conditions = new Map(stage.awaits.map((one) => [keyOf(one, one.name, one.namespace), one.until]));
    const waiting = new Set(stage.last.map((one) => keyOf(one, one.name, one.namespace)));
    const namespaces = new Map<string, Resource>();
    const awaited: Resource[] = [];
    let last: Resource | undefined;
    for (const object of stage.objects) {
      const { name, namespace } = object.metadata;
      const until = conditions.get(keyOf(object, name, namespace));
      const namespaceResource = namespaces.get(namespace ?? '');
      const dependsOn = [
        ...(last ? [last] : before),
        ...(namespaceResource ? [namespaceResource] : []),
        ...(waiting.has(keyOf(object, name, namespace)) ? awaited : []),
      ];
      const resource = createObjectResource({ object, ...(until && { until }) }, { parent: this, dependsOn });
      if (createsNamespace(object)) namespaces.set(name, resource);
      // Awaited objects block no others of their stage, since they may depend on them.
      if (until === undefined) last = resource;
      else awaited.push(resource);
    }
    this.registerOutputs({});
  }
}

/** Returns whether the object is a namespace, or creates the one of its name. */
const createsNamespace = ({ kind }: KubernetesObject): boolean => kind === 'Namespace' || kind === 'Project';

/** Returns the key of an object within a stage. */
const keyOf = (object: Pick<KubernetesObject, 'apiVersion' | 'kind'>, name: string, namespace = ''): string =>
  [object.apiVersion, object.kind, namespace, name].join(' ');
