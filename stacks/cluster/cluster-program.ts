import { Provider } from '@pulumi/aws/provider';
import { type Problem } from '@pinion-platform/pinion/api';
import { safePlanClusterStack } from '../plan';
import { Cluster } from './cluster';
import { takenBuckets } from './taken-buckets';

/** Result of the cluster program: outputs unless an error blocks it, and all problems. */
export interface ClusterProgram {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/** Creates a cluster from its configuration. Creates nothing if the configuration has errors. */
export async function clusterProgram(input: unknown): Promise<ClusterProgram> {
  const { stack, problems } = safePlanClusterStack(input);
  if (!stack) return { problems };
  const { config, plan } = stack;
  const provider = new Provider('aws', plan.provider);
  const taken = await takenBuckets(plan.buckets, provider);
  if (taken.length > 0) return { problems: [...problems, ...taken] };
  const { platformInputs } = new Cluster(config.name, stack, { providers: { aws: provider } });
  return { outputs: { platformInputs }, problems };
}
