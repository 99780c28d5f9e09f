import { nearest, type Problem } from '../../api';
import { instanceTypes, isOffered } from '../sizing/instance-type';

/** Returns the problem of an instance type name. */
export function typeProblems(name: string | undefined, path: Problem['path'], region: string): Problem[] {
  if (name === undefined || isOffered(region, name)) return [];
  const offered = [...instanceTypes.keys()].filter((type) => isOffered(region, type));
  const guess = nearest(name, offered);
  const reason = instanceTypes.has(name)
    ? `is of a family that ${region} does not offer in every size`
    : 'is not a known EC2 instance type';
  return [
    {
      code: 'not-available',
      path,
      value: name,
      reason,
      remedy: guess ? `did you mean "${guess}"?` : 'use a type such as m6i.2xlarge',
    },
  ];
}
