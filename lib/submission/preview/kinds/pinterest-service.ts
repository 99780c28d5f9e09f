import { type KindScale } from './kind-scale';

/** Returns how a PinterestService scales; undefined with variants, among which the pods are divided on purpose. */
export const pinterestServiceScale: KindScale<'PinterestService'> = ({ autoscaling, replicas = 1, variants }) => {
  if (variants) return undefined;
  return autoscaling
    ? { path: ['autoscaling', 'maxReplicas'], current: autoscaling.maxReplicas, min: autoscaling.minReplicas }
    : { path: ['replicas'], current: replicas, min: 1 };
};
