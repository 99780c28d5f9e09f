import { type Problem } from 'pinion/api';
import { examineClusterStack } from '../plan';
import { Cluster } from './cluster';

/** What the program of the stack `cluster` comes to: its outputs where nothing stands in the way, and all problems. */
export interface ClusterProgram {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/** Makes a cluster from its description; nothing is made where that has an error. */
export function clusterProgram(description: unknown): ClusterProgram {
  const { stack, problems } = examineClusterStack(description);
  if (!stack) return { problems };
  const { platformFacts } = new Cluster(stack.config.name, stack);
  return { outputs: { platformFacts }, problems };
}
