import type * as z from 'zod';
import { type KindDefinition, type KindSchemas } from './kind-definition';
import { platformKind } from './platform';
import { platformRevisionKind } from './platform-revision';
import { platformRolloutKind } from './platform-rollout';
import { projectKind } from './project';
import { runtimeProfileKind } from './runtime-profile';
import { workloadDefinitions, type WorkloadKind } from './workload-kinds';

const platformDefinitions = {
  Project: projectKind,
  RuntimeProfile: runtimeProfileKind,
  Platform: platformKind,
  PlatformRevision: platformRevisionKind,
  PlatformRollout: platformRolloutKind,
} as const satisfies Record<string, KindDefinition & KindSchemas>;

/** Name of a platform kind. */
export type PlatformKind = keyof typeof platformDefinitions;
/** Name of any kind of pinion. */
export type PinionKind = WorkloadKind | PlatformKind;

/** Platform kinds. */
export const platformKinds: Readonly<Record<PlatformKind, KindDefinition>> = platformDefinitions;

const definitions = { ...workloadDefinitions, ...platformDefinitions };

/** All pinion kinds. */
export const pinionKinds: Readonly<Record<PinionKind, KindDefinition>> = definitions;

/** Schemas of all kinds. */
export const kindSchemas: Readonly<Record<PinionKind, KindSchemas>> = definitions;

/** Returns whether a name is that of a platform kind. */
export const isPlatformKind = (kind: unknown): kind is PlatformKind =>
  typeof kind === 'string' && Object.hasOwn(platformKinds, kind);

type Definitions = typeof definitions;

/** `spec` of a kind after parsing: defaults are set, and quantities and durations are in canonical form. */
export type Spec<K extends PinionKind> = z.output<ReturnType<Definitions[K]['spec']>>;

/** `status` of a kind, as the controller writes it. */
export type Status<K extends PinionKind> = z.output<ReturnType<Definitions[K]['status']>>;
