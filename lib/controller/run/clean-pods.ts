import { type ConductInput, type RunRecord } from './run-plan';
import { type PodFacts } from '../observed/pod-facts';

/** Pods that a training job removes once it has succeeded: all with `cleanPodPolicy: All`; those that still run end with their Jobs. */
export function podsToClean({ workload, pods }: ConductInput, record: RunRecord): PodFacts[] {
  if (workload.kind !== 'PinterestTrainingJob' || record.outcome !== 'Succeeded') return [];
  const { cleanPodPolicy } = workload.spec;
  return cleanPodPolicy === 'All' ? pods.filter(({ deleting }) => !deleting) : [];
}
