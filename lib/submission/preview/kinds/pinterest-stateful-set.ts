import { type KindScale } from './kind-scale';

/** Returns how a PinterestStatefulSet scales. */
export const pinterestStatefulSetScale: KindScale<'PinterestStatefulSet'> = ({ replicas }) => ({
  path: ['replicas'],
  current: replicas,
  min: 1,
});
