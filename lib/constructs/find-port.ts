import { nearest, type Problem } from '../api';
import { type EndpointPort } from '../expand';

/** Returns the port of a name, or the only one if there is no name; otherwise the problem. `naming` is how to name one. */
export function findPort(
  ports: readonly EndpointPort[],
  name: string | undefined,
  naming = 'pass the name of one',
): EndpointPort | Problem {
  const [first, second] = ports;
  const found = name === undefined && !second ? first : ports.find(({ names }) => names.includes(name ?? ''));
  if (found) return found;
  const names = ports.flatMap((port) => port.names);
  if (!first) return noPorts;
  return name === undefined ? unnamed(names, naming) : unknownPort(name, names);
}

/** Returns whether a result is a problem. */
export const isProblem = (result: EndpointPort | Problem): result is Problem => 'reason' in result;

const noPorts: Problem = {
  code: 'unknown-reference',
  path: ['spec', 'ports'],
  reason: 'is missing, so other workloads have no port to connect to',
  remedy: 'set ports, or name the ports of its containers',
};

const unnamed = (names: readonly string[], remedy: string): Problem => ({
  code: 'required',
  path: ['spec', 'ports'],
  reason: `lists several ports, and none is named: ${names.join(', ')}`,
  remedy,
});

function unknownPort(name: string, names: readonly string[]): Problem {
  const similar = nearest(name, names);
  return {
    code: 'unknown-reference',
    path: ['spec', 'ports'],
    value: name,
    reason: `is not one of its ports, which are ${names.join(', ')}`,
    remedy: similar === undefined ? `use ${names.join(' or ')}` : `did you mean "${similar}"?`,
  };
}
