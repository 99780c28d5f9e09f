import { type IConstruct } from 'constructs';
import { type Problem } from '../api';

/** What an app synthesizes: the native objects, or the custom resources that a controller expands in the cluster. */
export type Emit = 'native' | 'resource';

const contextKey = 'pinion/emit';

/** Decides what everything below an app or chart emits; the nearest decision wins. Call it before children are added. */
export function setEmit(scope: IConstruct, emit: Emit): void {
  scope.node.setContext(contextKey, emit);
}

/** What is decided for a construct: by itself, else by the nearest scope that decides, else `native`. */
export function emitOf(scope: IConstruct, own: Emit | undefined): Emit {
  return own ?? (scope.node.tryGetContext(contextKey) as Emit | undefined) ?? 'native';
}

/** The problem that something else than the two choices was given. */
export const emitProblem = (emit: unknown): Problem => ({
  code: 'unsupported-value',
  path: ['emit'],
  value: emit,
  reason: 'is not what an app can emit',
  remedy: 'use native or resource',
});
