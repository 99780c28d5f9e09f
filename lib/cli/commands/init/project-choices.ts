import { type Starter } from './starter';

/** Form of the workloads of a project. */
export const flavors = ['constructs', 'yaml'] as const;
/** Form of the workloads of a project. */
export type Flavor = (typeof flavors)[number];

/** CI systems for which a project can have a pipeline. */
export const ciSystems = ['github', 'gitlab', 'none'] as const;
/** A CI system, or none. */
export type CiSystem = (typeof ciSystems)[number];

/** What a new project is to contain. */
export interface ProjectChoices {
  /** Name of the Project and of its namespace. */
  readonly project: string;
  /** Name of the workload. */
  readonly name: string;
  readonly starter: Starter;
  readonly flavor: Flavor;
  readonly ci: CiSystem;
  /** Where npm gets the library from. */
  readonly pinion: PinionSource;
  /** Registry of the library's scope. @default - as npm is configured */
  readonly registry?: string;
}

/** Where npm gets the library of a project from. */
export interface PinionSource {
  /** Version or range in `package.json`, or `file:` with a path. */
  readonly spec: string;
  /** Version of the library, if it is known. */
  readonly version?: string;
  /** Packed library that becomes a file of the project. */
  readonly file?: { readonly path: string; readonly content: Uint8Array };
}
