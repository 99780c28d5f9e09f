import { nearest, type Problem } from '../../api';
import { instanceTypes, isOffered, type InstanceType } from '../sizing/instance-type';

/** Returns the problem of an instance type name where machines have a given architecture. */
export function typeProblems(
  name: string | undefined,
  path: Problem['path'],
  region: string,
  architecture: InstanceType['architecture'],
): Problem[] {
  if (name === undefined) return [];
  const type = instanceTypes.get(name);
  if (isOffered(region, name) && type?.architecture === architecture) return [];
  const offered = [...instanceTypes.values()].filter(
    (one) => one.architecture === architecture && isOffered(region, one.name),
  );
  const guess = nearest(
    name,
    offered.map((one) => one.name),
  );
  const reason = !type
    ? 'is not a known EC2 instance type'
    : type.architecture === architecture
      ? `is of a family that ${region} does not offer in every size`
      : `is an ${type.architecture} type, but the machines are ${architecture}`;
  return [
    {
      code: 'not-available',
      path,
      value: name,
      reason,
      remedy: guess
        ? `did you mean "${guess}"?`
        : `use a type such as ${architecture === 'arm64' ? 'm6g' : 'm6i'}.2xlarge`,
    },
  ];
}
