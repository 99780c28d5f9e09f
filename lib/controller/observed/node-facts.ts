import { isDeepStrictEqual } from 'node:util';
import { parseQuantity, trueCondition } from '../../api';
import { type LiveObject } from '../../client';
import { type NodeCapacityInput } from '../run/free-capacity';

/** Cached fields of a node. */
export interface NodeFacts extends NodeCapacityInput {
  readonly resourceVersion: string;
}

/** Returns whether a node's capacity is unchanged: most node updates are heartbeats. */
export const hasSameCapacity = (before: NodeFacts, after: NodeFacts): boolean =>
  isDeepStrictEqual({ ...before, resourceVersion: '' }, { ...after, resourceVersion: '' });

interface NodeFields {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  };
  readonly status?: {
    readonly allocatable?: Readonly<Record<string, string>>;
  };
}

/** Returns the fields that determine the free capacity of a node: labels, taints and allocatable resources. */
export function nodeFactsOf(node: LiveObject): NodeFacts {
  const { spec, status } = node as NodeFields;
  const { name, labels = {}, resourceVersion } = node.metadata;
  return {
    name,
    resourceVersion,
    labels,
    taints: (spec?.taints ?? []).map(({ key, value, effect }) => ({
      key,
      effect,
      ...(value !== undefined && { value }),
    })),
    unschedulable: spec?.unschedulable ?? false,
    ready: trueCondition(status, 'Ready') !== undefined,
    allocatable: Object.fromEntries(
      Object.entries(status?.allocatable ?? {}).map(([resource, amount]) => [resource, amountOf(resource, amount)]),
    ),
  };
}

const nanosPerMilli = 1_000_000n;
const nanosPerUnit = 1_000_000_000n;

/** Returns CPU in whole millicores, and other resources in whole bytes or units, rounded down. */
function amountOf(resource: string, text: string): number {
  const quantity = parseQuantity(text);
  if (!quantity) return 0;
  return Number(quantity.nanos / (resource === 'cpu' ? nanosPerMilli : nanosPerUnit));
}
