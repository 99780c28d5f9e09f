import { type KindScale } from './kind-scale';

/** Returns by what a PinterestTrainingJob scales: its workers, if it has any. */
export const pinterestTrainingJobScale: KindScale<'PinterestTrainingJob'> = ({ roles: { worker } }) =>
  worker && { path: ['roles', 'worker', 'replicas'], current: worker.replicas, min: 1 };
