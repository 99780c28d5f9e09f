import { type KindScale } from './kind-scale';

/** Returns how a PinterestService scales. */
export const pinterestServiceScale: KindScale<'PinterestService'> = ({ autoscaling, replicas = 1 }) =>
  autoscaling
    ? { path: ['autoscaling', 'maxReplicas'], current: autoscaling.maxReplicas, min: autoscaling.minReplicas }
    : { path: ['replicas'], current: replicas, min: 1 };
