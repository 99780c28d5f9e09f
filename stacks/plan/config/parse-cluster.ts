import { isError, ProblemsError, schemaProblems, type Problem } from '@pinion-platform/pinion/api';
import { addressProblems } from './address-problems';
import { clusterSchema, type ClusterConfig, type ClusterInput } from './cluster-config';
import { clusterProblems } from './cluster-problems';
import { zoneProblems } from './zone-problems';

/** Result of parsing a cluster configuration: the configuration unless it has errors, and all problems. */
export interface ParseClusterResult {
  readonly config?: ClusterConfig;
  readonly problems: readonly Problem[];
}

/** Parses and validates a cluster configuration. Never throws for invalid input. */
export function safeParseCluster(input: unknown): ParseClusterResult {
  const parsed = clusterSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(clusterSchema, input, parsed.error.issues, []) };
  const config = parsed.data;
  const problems = [...zoneProblems(config), ...addressProblems(config), ...clusterProblems(config)];
  return problems.some(isError) ? { problems } : { config, problems };
}

/** Parses and validates a cluster configuration. Throws a `ProblemsError` with all problems. */
export function parseCluster(input: ClusterInput): ClusterConfig {
  const { config, problems } = safeParseCluster(input);
  if (!config) throw new ProblemsError(problems.filter(isError));
  return config;
}

/** Returns the load as `pinion capacity plan` reads it, with the fields of the cluster. */
export const loadOf = ({
  name,
  region,
  zones,
  kubernetesVersion,
  load,
}: ClusterConfig): Readonly<Record<string, unknown>> => ({
  ...load,
  cluster: name,
  region,
  zones,
  kubernetes: kubernetesVersion,
});
