import { ComponentResource, type ComponentResourceOptions, type Resource } from '@pulumi/pulumi';
import { type KubernetesObject } from 'pinion';
import { type Stage } from '../plan';
import { placeObject } from './placed-object';

/** What a stage of a platform is made from. */
export interface PlatformStageArgs {
  readonly stage: Stage;
  /** The stage before; all of it is as it should be before anything of this one is placed. */
  readonly after?: PlatformStage;
}

/** Objects that are placed together: one after the other, and what becomes something once all that it needs is there. */
export class PlatformStage extends ComponentResource {
  constructor({ stage, after }: PlatformStageArgs, options?: ComponentResourceOptions) {
    super('pinion:platform:Stage', stage.name, {}, options);
    const before: Resource[] = after ? [after] : [];
    const ends = new Map(stage.awaits.map((one) => [keyOf(one, one.name, one.namespace), one.until]));
    const homes = new Map<string, Resource>();
    let last: Resource | undefined;
    for (const object of stage.objects) {
      const { name, namespace } = object.metadata;
      const until = ends.get(keyOf(object, name, namespace));
      const home = homes.get(namespace ?? '');
      const dependsOn = [...(last ? [last] : before), ...(home ? [home] : [])];
      const resource = placeObject({ object, ...(until && { until }) }, { parent: this, dependsOn });
      if (makesNamespace(object)) homes.set(name, resource);
      // What is waited for holds up nothing else of its stage, which it may itself be waiting for.
      if (until === undefined) last = resource;
    }
    this.registerOutputs({});
  }
}

/** Kinds of which an object is a namespace, or makes one of its own name. */
const makesNamespace = ({ kind }: KubernetesObject): boolean => kind === 'Namespace' || kind === 'Project';

/** What tells objects of a stage apart. */
const keyOf = (one: Pick<KubernetesObject, 'apiVersion' | 'kind'>, name: string, namespace = ''): string =>
  [one.apiVersion, one.kind, namespace, name].join(' ');
