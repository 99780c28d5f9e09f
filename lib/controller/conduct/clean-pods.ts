import { type Workload } from '../../api';
import { type ConductInput, type RunRecord } from './conducted';
import { type PodFacts } from '../observed/pod-facts';

/** Pods that a training job removes once it has succeeded: all with `cleanPods: all`; those that still run end with their Jobs. */
export function podsToClean({ workload, pods }: ConductInput, record: RunRecord): PodFacts[] {
  if (workload.kind !== 'PinterestTrainingJob' || record.outcome !== 'Succeeded') return [];
  const { cleanPods } = (workload as Workload<'PinterestTrainingJob'>).spec;
  return cleanPods === 'all' ? pods.filter(({ deleting }) => !deleting) : [];
}
