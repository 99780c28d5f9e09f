/** One entry of a table that lists every workload kind. */
export interface Registration {
  readonly file: string;
  /** Name that the kind's file exports, and its module specifier. @default - the entry is undefined: the kind has no part in it */
  readonly imports?: readonly [name: string, from: string];
}

/** The table that defines what a workload kind is; without it, no other is asked to know the kind. */
export const definition: Registration = {
  file: 'lib/api/kinds/workload-kinds.ts',
  imports: ['pinterestWorkerKind', './pinterest-worker'],
};

/** Tables that the compiler requires an entry of, once the kind is defined. */
export const registrations: readonly Registration[] = [
  { file: 'lib/expand/kinds/kind-expanders.ts', imports: ['pinterestWorkerExpander', './pinterest-worker'] },
  { file: 'lib/controller/kinds/kind-controllers.ts', imports: ['pinterestWorkerController', './pinterest-worker'] },
  { file: 'lib/operations/canary/kinds/canary-kinds.ts', imports: ['pinterestWorkerCanary', './pinterest-worker'] },
  { file: 'lib/submission/preview/kinds/kind-scales.ts', imports: ['pinterestWorkerScale', './pinterest-worker'] },
  { file: 'lib/cli/commands/import/kinds/kind-imports.ts' },
  { file: 'lib/cli/commands/init/kinds/starters.ts', imports: ['workerStarter', './pinterest-worker'] },
];

/** Exports of public names; users of the library need them, the compiler does not. */
export const exportLines: readonly (readonly [file: string, line: string])[] = [
  ['lib/api/index.ts', "export { type PinterestWorkerSpec } from './inputs.generated';"],
  ['lib/constructs/index.ts', "export { PinterestWorker, type PinterestWorkerProps } from './kinds/pinterest-worker';"],
  ['lib/testing/index.ts', "export { makeWorker } from './kinds/pinterest-worker';"],
  ['lib/index.ts', "export { PinterestWorker, type PinterestWorkerProps } from './constructs';"],
];
