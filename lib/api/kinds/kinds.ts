import type * as z from 'zod';
import { type KindDefinition } from './kind-definition';
import { platformKind } from './platform';
import { projectKind } from './project';
import { runtimeProfileKind } from './runtime-profile';
import { workloadKinds, type WorkloadKind } from './workload-kinds';

/** The kinds that describe the platform itself. */
export const platformKinds = {
  Project: projectKind,
  RuntimeProfile: runtimeProfileKind,
  Platform: platformKind,
} as const satisfies Record<string, KindDefinition>;

/** Name of a platform kind. */
export type PlatformKind = keyof typeof platformKinds;
/** Name of any kind of pinion. */
export type PinionKind = WorkloadKind | PlatformKind;

const definitions = { ...workloadKinds, ...platformKinds };

/** All kinds of pinion. */
export const pinionKinds: Readonly<Record<PinionKind, KindDefinition>> = definitions;

/** Returns whether a name is that of a platform kind. */
export const isPlatformKind = (kind: unknown): kind is PlatformKind =>
  typeof kind === 'string' && Object.hasOwn(platformKinds, kind);

type Definitions = typeof definitions;

/** `spec` of a kind after parsing: every default is set, every quantity and duration is in its canonical form. */
export type Spec<K extends PinionKind> = z.output<ReturnType<Definitions[K]['spec']>>;

/** `status` of a kind, as the controller writes it. */
export type Status<K extends PinionKind> = z.output<ReturnType<Definitions[K]['status']>>;
