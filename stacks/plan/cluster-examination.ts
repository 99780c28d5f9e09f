import { isError, ProblemsError, schemaProblems, type Problem } from 'pinion/api';
import { addressProblems } from './address-problems';
import { clusterSchema, type ClusterConfig, type ClusterInput } from './cluster-config';
import { clusterProblems } from './cluster-problems';
import { zoneProblems } from './zone-problems';

/** What was found in the description of a cluster: the whole of it where nothing stands in the way, and all problems. */
export interface ExaminedCluster {
  readonly config?: ClusterConfig;
  readonly problems: readonly Problem[];
}

/** Reads the description of a cluster from any value, as it was read from a file; never throws for what that is. */
export function examineCluster(input: unknown): ExaminedCluster {
  const parsed = clusterSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(clusterSchema, input, parsed.error.issues, []) };
  const config = parsed.data;
  const problems = [...zoneProblems(config), ...addressProblems(config), ...clusterProblems(config)];
  return problems.some(isError) ? { problems } : { config, problems };
}

/** Completes the description of a cluster. Throws a `ProblemsError` with all that is wrong. */
export function completeCluster(input: ClusterInput): ClusterConfig {
  const { config, problems } = examineCluster(input);
  if (!config) throw new ProblemsError(problems.filter(isError));
  return config;
}

/** The load as `pinion capacity plan` reads it: what the cluster is, beside what it is planned for. */
export const loadOf = ({
  name,
  region,
  zones,
  kubernetes,
  load,
}: ClusterConfig): Readonly<Record<string, unknown>> => ({
  ...load,
  cluster: name,
  region,
  zones,
  kubernetes,
});
