import { type KubernetesObject } from '../objects/kubernetes-object';

/** Port of a native Service. */
export interface NativeServicePort {
  readonly name: string;
  readonly port: number;
  /** Container port, by number or name. */
  readonly targetPort: number | string;
  readonly appProtocol?: string;
}

/** Service among the native objects of a workload. */
export interface NativeService extends KubernetesObject {
  readonly spec: { readonly clusterIP?: string; readonly ports?: readonly NativeServicePort[] };
}

/** Returns whether a Service has no address of its own, but resolves to those of its pods. */
export const resolvesToPods = ({ spec }: NativeService): boolean => spec.clusterIP === 'None';
