import type * as z from 'zod';
import { cronJobSpec } from './cron-job';
import { daemonSpec } from './daemon';
import {
  type PinterestCronJobSpec,
  type PinterestDaemonSpec,
  type PinterestJobSetSpec,
  type PinterestServiceSpec,
  type PinterestStatefulSetSpec,
  type PinterestTrainingJobSpec,
  type PlatformSpec,
  type ProjectSpec,
  type RuntimeProfileSpec,
} from './inputs.generated';
import { jobSetSpec } from './job-set';
import { type PinionKind } from './kinds';
import { platformSpec } from './platform';
import { type FieldPath } from './problem';
import { projectSpec } from './project';
import { runtimeProfileSpec } from './runtime-profile';
import { choicesOf } from './schema-walk';
import { serviceSpec } from './service';
import { statefulSetSpec } from './stateful-set';
import { trainingJobSpec } from './training-job';

const makers = {
  PinterestService: serviceSpec,
  PinterestJobSet: jobSetSpec,
  PinterestCronJob: cronJobSpec,
  PinterestDaemon: daemonSpec,
  PinterestTrainingJob: trainingJobSpec,
  PinterestStatefulSet: statefulSetSpec,
  Project: projectSpec,
  RuntimeProfile: runtimeProfileSpec,
  Platform: platformSpec,
} satisfies Record<PinionKind, () => z.ZodType>;

type Makers = typeof makers;
interface SpecInputs {
  PinterestService: PinterestServiceSpec;
  PinterestJobSet: PinterestJobSetSpec;
  PinterestCronJob: PinterestCronJobSpec;
  PinterestDaemon: PinterestDaemonSpec;
  PinterestTrainingJob: PinterestTrainingJobSpec;
  PinterestStatefulSet: PinterestStatefulSetSpec;
  Project: ProjectSpec;
  RuntimeProfile: RuntimeProfileSpec;
  Platform: PlatformSpec;
}

/** What a person writes as `spec` of a kind. */
export type SpecInput<K extends PinionKind> = SpecInputs[K];
/** A completed `spec` of a kind: every default of the schema is there, every quantity and duration in its one form. */
export type Spec<K extends PinionKind> = z.output<ReturnType<Makers[K]>>;

const made = new Map<PinionKind, z.ZodType>();

/** The schema of a kind's `spec`, made when first asked for. */
export function schemaOf(kind: PinionKind): z.ZodType {
  let schema = made.get(kind);
  if (!schema) {
    schema = makers[kind]();
    made.set(kind, schema);
  }
  return schema;
}

/** The values that a field of a kind's `spec` may have, where they are a closed set. */
export const choicesAt = (kind: PinionKind, path: FieldPath): readonly string[] | undefined =>
  choicesOf(schemaOf(kind), path);
