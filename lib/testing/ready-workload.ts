import { type Container, type NativeKind, type NativeObjectOf, type PodTemplateSpec } from '../api';
import { type KubernetesObject } from '../expand';
import { containerOf, only, podOf } from './only';
import { snapshotOf, type SnapshotOptions } from './snapshot';

/** The objects of a workload without problems, with typed queries; each throws an error that lists the candidates. */
export class ReadyWorkload {
  constructor(
    /** All objects, in apply order. */
    readonly objects: readonly KubernetesObject[],
  ) {}

  /** Returns the objects of a kind; an empty list if there are none. */
  objectsOf<K extends NativeKind>(kind: K): readonly (KubernetesObject & NativeObjectOf<K>)[] {
    return this.objects.filter((object): object is KubernetesObject & NativeObjectOf<K> => object.kind === kind);
  }

  /** Returns the only object of a kind, or of a kind and name. */
  only<K extends NativeKind>(kind: K, name?: string): KubernetesObject & NativeObjectOf<K> {
    return only(this.objects, kind, name);
  }

  /** Returns the pod template of its only object with pods, or of the one with that name. */
  pod(name?: string): PodTemplateSpec {
    return podOf(this.objects, name);
  }

  /** Returns a container of the pod by name: of the app, or of the runtime profile. */
  container(name: string): Container {
    return containerOf(this.pod(), name);
  }

  /** Formats the objects for `toMatchSnapshot`. */
  snapshot(options?: SnapshotOptions): string {
    return snapshotOf(this.objects, options);
  }
}
