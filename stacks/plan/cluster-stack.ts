import { examineCapacity, instanceTypes, type CapacityPlan } from 'pinion';
import { isError, isPlainObject, ProblemsError, type FieldPath, type Problem } from 'pinion/api';
import { controlPlaneProblems, masterUserData, workerProblems, workerUserData } from './bootstrap';
import { type ClusterCapacity } from './capacity';
import { type ClusterConfig, type ClusterInput } from './cluster-config';
import { examineCluster, loadOf } from './cluster-examination';
import { examineClusterPlan, type ClusterPlan, type UserData } from './cluster-plan';
import { machineSpecs, type MachineSpecs } from './machine-specs';
import { plannedCapacity } from './planned-capacity';

/** A cluster from its description to every resource of it. */
export interface ClusterStack {
  readonly config: ClusterConfig;
  readonly capacity: ClusterCapacity;
  readonly plan: ClusterPlan;
}

/** A cluster where nothing stands in the way, and all problems. */
export interface ExaminedClusterStack {
  readonly stack?: ClusterStack;
  readonly problems: readonly Problem[];
}

/** Plans a cluster and its capacity from any value, as it was read from a file; never throws for what that is. */
export function examineClusterStack(input: unknown): ExaminedClusterStack {
  const { config, problems } = examineCluster(input);
  if (!config) return { problems: [...problems, ...looseLoadProblems(input)] };
  const { plan, problems: found } = examineCapacity(loadOf(config));
  const load = found.map(inDescription);
  if (!plan) return { problems: [...problems, ...load] };
  const rest = examineMachines(config, plan);
  return { ...rest, problems: [...problems, ...load, ...rest.problems] };
}

/** Plans a cluster and its capacity. Throws a `ProblemsError` with all that is wrong. */
export function planClusterStack(input: ClusterInput): ClusterStack {
  const { stack, problems } = examineClusterStack(input);
  if (!stack) throw new ProblemsError(problems.filter(isError));
  return stack;
}

function examineMachines(config: ClusterConfig, planned: CapacityPlan): ExaminedClusterStack {
  const capacity = plannedCapacity(planned);
  const specs = machineSpecs(config, planned, capacity);
  const problems = [...typeProblems(capacity), ...machineProblems(specs)];
  const examined = examineClusterPlan(config, capacity, problems.some(isError) ? noText : textOf(specs));
  const all = [...problems, ...examined.problems.filter(({ path: [first] }) => first !== 'userData')];
  return examined.plan && !all.some(isError)
    ? { stack: { config, capacity, plan: examined.plan }, problems: all }
    : { problems: all };
}

/** What machines are started with, in base64. */
const textOf = ({ controlPlane, workers }: MachineSpecs): UserData => ({
  masters: Object.fromEntries(
    controlPlane.members.map((member) => [member.name, masterUserData(controlPlane, member).base64]),
  ),
  pools: Object.fromEntries(Object.entries(workers).map(([pool, spec]) => [pool, workerUserData(spec).base64])),
});

/** Stands for user data that cannot be written, so that all else is examined too. */
const noText: UserData = { masters: {}, pools: {} };

/** Where a person wrote what is wrong with a machine. */
const machineProblems = ({ controlPlane, workers }: MachineSpecs): Problem[] => [
  ...controlPlaneProblems(controlPlane).map((problem) => {
    const [first] = problem.path;
    return first === 'flags' ? { ...problem, path: ['load', ...problem.path] } : problem;
  }),
  ...Object.entries(workers).flatMap(([pool, spec]) =>
    workerProblems(spec).map((problem) => ({ ...problem, path: ['pools', pool, ...problem.path] })),
  ),
];

/** Sizes that nothing is known of: reservations and bounds follow from their processors and memory. */
const typeProblems = ({ masterInstanceType, nodeGroups }: ClusterCapacity): Problem[] =>
  [
    { path: ['load', 'overrides', 'masterInstanceType'], type: masterInstanceType },
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
      reason: 'is no EC2 type that is known',
      remedy: 'use one that the plan chooses from, or leave it out',
    }));

/** Fields of a load that the description of a cluster says in its own. */
const ownFields: Readonly<Record<string, string>> = {
  cluster: 'name',
  region: 'region',
  zones: 'zones',
  kubernetes: 'kubernetes',
};

function inDescription(problem: Problem): Problem {
  const [first, ...rest] = problem.path;
  const own = typeof first === 'string' && Object.hasOwn(ownFields, first) ? ownFields[first] : undefined;
  const path: FieldPath = own === undefined ? ['load', ...problem.path] : [own, ...rest];
  return { ...problem, path };
}

/** What is wrong with a load though all else of the description is not yet right. */
function looseLoadProblems(input: unknown): Problem[] {
  if (!isPlainObject(input) || !isPlainObject(input['load'])) return [];
  const { name, region, zones, kubernetes, load } = input;
  const { problems } = examineCapacity({ ...load, cluster: name, region, zones, kubernetes });
  return problems.map(inDescription).filter(({ path }) => path[0] === 'load');
}
