import { Provider } from '@pulumi/aws/provider';
import { type Problem } from 'pinion/api';
import { examineClusterStack } from '../plan';
import { Cluster } from './cluster';
import { takenBuckets } from './taken-buckets';

/** What the program of the stack `cluster` comes to: its outputs where nothing stands in the way, and all problems. */
export interface ClusterProgram {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/** Makes a cluster from its description; nothing is made where that has an error. */
export async function clusterProgram(description: unknown): Promise<ClusterProgram> {
  const { stack, problems } = examineClusterStack(description);
  if (!stack) return { problems };
  const { config, plan } = stack;
  const provider = new Provider('aws', plan.provider);
  const taken = await takenBuckets(plan.buckets, provider);
  if (taken.length > 0) return { problems: [...problems, ...taken] };
  const { platformFacts } = new Cluster(config.name, stack, { providers: { aws: provider } });
  return { outputs: { platformFacts }, problems };
}
