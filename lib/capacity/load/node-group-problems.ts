import { nearest, type Problem } from '../../api';
import { instanceTypes, isSameSize, type InstanceType } from '../sizing/instance-type';
import { type Load, type NodeGroupOverride, type Pool } from './load';
import { poolNeeds, type PoolNeed } from '../sizing/pool-needs';
import { typeProblems } from './type-problems';
import { warning } from '../plan/warning';

/** Returns the problems of node group overrides: invalid combinations and unknown instance types. */
export function nodeGroupProblems({ nodeGroupOverrides, mix, region }: Load): Problem[] {
  return Object.entries(nodeGroupOverrides).flatMap(([name, group]) => {
    const path = ['overrides', 'nodeGroups', name];
    const pool = Object.hasOwn(mix, name) ? mix[name] : undefined;
    if (!pool) {
      const guess = nearest(name, Object.keys(mix));
      const remedy = guess ? `did you mean "${guess}"?` : `use ${Object.keys(mix).join(', ')}`;
      return [{ code: 'unknown-reference' as const, path, reason: 'is not a pool of the mix', remedy }];
    }
    return [
      ...(group.instanceTypes ?? []).flatMap((type, index) =>
        typeProblems(type, [...path, 'instanceTypes', index], region, pool.architecture),
      ),
      ...mixedProblems(path, pool, group),
      ...countProblems(path, group),
    ];
  });
}

/** Returns the problems of instance types that differ: the autoscaler treats all nodes of a group alike. */
function mixedProblems(path: Problem['path'], pool: Pool, { instanceTypes: names = [] }: NodeGroupOverride): Problem[] {
  const [first, ...others] = names.map((name) => instanceTypes.get(name));
  if (others.length === 0) return [];
  if (pool.kind !== 'spot')
    return [
      invalidCombination(
        [...path, 'instanceTypes'],
        names,
        `has several types, but a pool of kind "${pool.kind}" uses one`,
        `use one, such as "${names[0] ?? ''}", or use kind "spot"`,
      ),
    ];
  return others.flatMap((other, index): Problem[] =>
    !first || !other || isSameSize(first, other)
      ? []
      : [
          invalidCombination(
            [...path, 'instanceTypes', index + 1],
            other.name,
            `has ${sizeText(other)}, but ${first.name} has ${sizeText(first)}: the autoscaler treats the nodes of a group alike`,
            `use types with ${sizeText(first)}${examplesLike(first)}`,
          ),
        ],
  );
}

const sizeText = ({ cores, memoryGib, accelerators }: InstanceType): string =>
  `${cores} CPUs and ${memoryGib} GiB${accelerators > 0 ? ` and ${accelerators} accelerators` : ''}`;

const examplesLike = (type: InstanceType): string => {
  const names = [...instanceTypes.values()].filter(
    (one) => one.name !== type.name && one.architecture === type.architecture && isSameSize(one, type),
  );
  return names.length > 0
    ? `, such as ${names
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ')}`
    : '';
};

function countProblems(path: Problem['path'], { min = 0, desired, max }: NodeGroupOverride): Problem[] {
  const problems: Problem[] = [];
  const lowerBound = Math.max(min, desired ?? 0);
  if (max !== undefined && max < lowerBound)
    problems.push(
      invalidCombination(
        [...path, 'max'],
        max,
        `is less than ${min > (desired ?? 0) ? 'min' : 'desired'} (${lowerBound})`,
        `use at least ${lowerBound}`,
      ),
    );
  if (desired !== undefined && min > desired)
    problems.push(
      invalidCombination(
        [...path, 'min'],
        min,
        `is more than desired (${desired})`,
        `use at most ${desired}, or raise desired`,
      ),
    );
  return problems;
}

/** Returns warnings for node group overrides that are too small for their pods. */
export function smallGroups(load: Load): Problem[] {
  const overrides = Object.entries(load.nodeGroupOverrides);
  const needs = overrides.length > 0 ? poolNeeds(load) : {};
  return overrides.flatMap(([name, group]) => {
    const need = needs[name];
    return need ? smallGroup(['overrides', 'nodeGroups', name], need, group) : [];
  });
}

function smallGroup(path: Problem['path'], need: PoolNeed, group: NodeGroupOverride): Problem[] {
  const problems: Problem[] = [];
  const { desired = need.nodes, max = need.nodes, maxPods = need.podsPerNode } = group;
  const nodes = `is less than the ${need.nodes} planned nodes of the pool`;
  if (max < need.nodes)
    problems.push(
      warning([...path, 'max'], max, `${nodes}, so at most ${max} are created`, `use at least ${need.nodes}`),
    );
  else if (desired < need.nodes)
    problems.push(
      warning([...path, 'desired'], desired, `${nodes}; the autoscaler adds the others`, `use ${need.nodes}`),
    );
  if (maxPods < need.podsPerNode)
    problems.push(
      warning(
        [...path, 'maxPods'],
        maxPods,
        `is less than the ${need.podsPerNode} planned pods per node`,
        `use at least ${need.podsPerNode}`,
      ),
    );
  (group.instanceTypes ?? []).forEach((name, index) => {
    const type = instanceTypes.get(name);
    if (!type) return;
    const shortages = [
      type.cores < need.cores && `${type.cores} of ${need.cores.toFixed(1)} CPUs`,
      type.memoryGib < need.memoryGib && `${type.memoryGib} of ${Math.ceil(need.memoryGib)} GiB`,
      type.accelerators < need.accelerators && `${type.accelerators} of ${need.accelerators} accelerators`,
    ].filter((part) => part !== false);
    if (shortages.length > 0)
      problems.push(
        warning(
          [...path, 'instanceTypes', index],
          name,
          `has ${shortages.join(', ')} that the ${need.podsPerNode} planned pods per node request`,
          'use a larger size, or plan more nodes',
        ),
      );
  });
  return problems;
}

const invalidCombination = (path: Problem['path'], value: unknown, reason: string, remedy: string): Problem => ({
  code: 'invalid-combination',
  path,
  value,
  reason,
  remedy,
});
