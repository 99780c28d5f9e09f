import { safePlanCapacity, instanceTypes, type CapacityPlan } from '@pinion-platform/pinion';
import { isError, isPlainObject, ProblemsError, type FieldPath, type Problem } from '@pinion-platform/pinion/api';
import { controlPlaneProblems, controlPlaneUserData, workerProblems, workerUserData } from './bootstrap';
import { clusterFields } from './config/cluster-problems';
import { type ClusterCapacity } from './machines/cluster-capacity';
import { type ClusterConfig, type ClusterInput } from './config/cluster-config';
import { safeParseCluster, loadOf } from './config/parse-cluster';
import { safePlanCluster, type ClusterPlan, type MachineUserData } from './cluster-plan';
import { machineSpecs, type MachineSpecs } from './machines/machine-specs';
import { plannedCapacity } from './machines/planned-capacity';

/** Planned cluster: its configuration, capacity and resources. */
export interface ClusterStack {
  readonly config: ClusterConfig;
  readonly capacity: ClusterCapacity;
  readonly plan: ClusterPlan;
}

/** Result of planning a cluster stack: the stack unless there are errors, and all problems. */
export interface ClusterStackResult {
  readonly stack?: ClusterStack;
  readonly problems: readonly Problem[];
}

/** Plans a cluster and its capacity from its configuration. Never throws for invalid input. */
export function safePlanClusterStack(input: unknown): ClusterStackResult {
  const { config, problems } = safeParseCluster(input);
  if (!config) return { problems: [...problems, ...loadProblems(input)] };
  const { plan, problems: found } = safePlanCapacity(loadOf(config));
  const load = found.map(atConfigPath);
  if (!plan) return { problems: [...problems, ...load] };
  const rest = safePlanMachines(config, plan);
  return { ...rest, problems: [...problems, ...load, ...rest.problems] };
}

/** Plans a cluster and its capacity. Throws a `ProblemsError` with all problems. */
export function planClusterStack(input: ClusterInput): ClusterStack {
  const { stack, problems } = safePlanClusterStack(input);
  if (!stack) throw new ProblemsError(problems.filter(isError));
  return stack;
}

function safePlanMachines(config: ClusterConfig, planned: CapacityPlan): ClusterStackResult {
  const capacity = plannedCapacity(planned);
  const specs = machineSpecs(config, planned, capacity);
  const problems = [...typeProblems(capacity), ...machineProblems(specs)];
  const result = safePlanCluster(config, capacity, problems.some(isError) ? noUserData : userDataOf(specs));
  const all = [...problems, ...result.problems.filter(({ path: [first] }) => first !== 'userData')];
  return result.plan && !all.some(isError)
    ? { stack: { config, capacity, plan: result.plan }, problems: all }
    : { problems: all };
}

/** Returns the user data of all machines in base64. */
const userDataOf = ({ controlPlane, workers }: MachineSpecs): MachineUserData => ({
  controlPlane: Object.fromEntries(
    controlPlane.members.map((member) => [member.name, controlPlaneUserData(controlPlane, member).base64]),
  ),
  pools: Object.fromEntries(Object.entries(workers).map(([pool, spec]) => [pool, workerUserData(spec).base64])),
});

/** Placeholder if user data cannot be generated, so that the rest is still validated. */
const noUserData: MachineUserData = { controlPlane: {}, pools: {} };

/** Returns the problems of machines at their path in the configuration. */
const machineProblems = ({ controlPlane, workers }: MachineSpecs): Problem[] => [
  ...controlPlaneProblems(controlPlane).map((problem) => {
    const [first] = problem.path;
    return first === 'flags' ? { ...problem, path: ['load', ...problem.path] } : problem;
  }),
  ...Object.entries(workers).flatMap(([pool, spec]) =>
    workerProblems(spec).map((problem) => ({ ...problem, path: ['pools', pool, ...problem.path] })),
  ),
];

/** Rejects unknown instance types, whose cores and memory are needed for reservations and limits. */
const typeProblems = ({ controlPlaneInstanceType, nodeGroups }: ClusterCapacity): Problem[] =>
  [
    { path: ['load', 'overrides', 'controlPlaneInstanceType'], type: controlPlaneInstanceType },
    ...nodeGroups.map(({ pool, instanceTypes: [type = ''] }) => ({
      path: ['load', 'overrides', 'nodeGroups', pool, 'instanceTypes', 0],
      type,
    })),
  ]
    .filter(({ type }) => !instanceTypes.has(type))
    .map(({ path, type }) => ({
      code: 'unknown-reference',
      path,
      value: type,
      reason: 'is not a known EC2 instance type',
      remedy: 'use a type of the capacity catalog, or remove it',
    }));

function atConfigPath(problem: Problem): Problem {
  const [first, ...rest] = problem.path;
  const own = typeof first === 'string' && Object.hasOwn(clusterFields, first) ? clusterFields[first] : undefined;
  const path: FieldPath = own === undefined ? ['load', ...problem.path] : [own, ...rest];
  return { ...problem, path };
}

/** Validates the load even if the rest of the configuration has errors. */
function loadProblems(input: unknown): Problem[] {
  if (!isPlainObject(input) || !isPlainObject(input['load'])) return [];
  const { name, region, zones, kubernetesVersion, load } = input;
  const { problems } = safePlanCapacity({ ...load, cluster: name, region, zones, kubernetes: kubernetesVersion });
  return problems.map(atConfigPath).filter(({ path }) => path[0] === 'load');
}
