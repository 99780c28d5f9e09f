import { type IConstruct } from 'constructs';
import { type Problem } from '../api';

/** Output of an app: the native objects, or the custom resources that a controller expands in the cluster. */
export type Emit = 'native' | 'resource';

const contextKey = 'pinion/emit';

/** Sets the output of everything below an app or chart; the nearest setting wins. Call it before children are added. */
export function setEmit(scope: IConstruct, emit: Emit): void {
  scope.node.setContext(contextKey, emit);
}

/** Returns the output of a construct: its own setting, otherwise that of the nearest scope, otherwise `native`. */
export function emitOf(scope: IConstruct, own: Emit | undefined): Emit {
  return own ?? (scope.node.tryGetContext(contextKey) as Emit | undefined) ?? 'native';
}

/** Returns the problem for an unsupported value. */
export const emitProblem = (emit: unknown): Problem => ({
  code: 'unsupported-value',
  path: ['emit'],
  value: emit,
  reason: 'must be native or resource',
  remedy: 'use native or resource',
});
