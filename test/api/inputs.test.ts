import type * as z from 'zod';
import { type cronJobSpec } from '../../lib/api/kinds/pinterest-cron-job';
import { type daemonSpec } from '../../lib/api/kinds/pinterest-daemon';
import type * as generated from '../../lib/api/inputs.generated';
import { type jobSetSpec } from '../../lib/api/kinds/pinterest-job-set';
import { type PinionKind, pinionKinds } from '../../lib/api/kinds/kinds';
import { type platformRevisionSpec } from '../../lib/api/kinds/platform-revision';
import { type platformRolloutSpec } from '../../lib/api/kinds/platform-rollout';
import { type platformSpec } from '../../lib/api/kinds/platform';
import { type projectSpec } from '../../lib/api/kinds/project';
import { type runtimeProfileSpec } from '../../lib/api/kinds/runtime-profile';
import { type serviceSpec } from '../../lib/api/kinds/pinterest-service';
import { type statefulSetSpec } from '../../lib/api/kinds/pinterest-stateful-set';
import { type trainingJobSpec } from '../../lib/api/kinds/pinterest-training-job';

/** A type with all nested properties read-only; the schemas' own types are mutable. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;
type Written<Maker extends () => z.ZodType> = Frozen<z.input<ReturnType<Maker>>>;

/** True if two types are assignable to each other. */
type Same<A, B> = [A] extends [Frozen<B>] ? ([Frozen<B>] extends [A] ? true : never) : never;

/** Does not compile if an interface and its schema differ. */
const proofs = {
  PinterestService: true satisfies Same<Written<typeof serviceSpec>, generated.PinterestServiceSpec>,
  PinterestJobSet: true satisfies Same<Written<typeof jobSetSpec>, generated.PinterestJobSetSpec>,
  PinterestCronJob: true satisfies Same<Written<typeof cronJobSpec>, generated.PinterestCronJobSpec>,
  PinterestDaemon: true satisfies Same<Written<typeof daemonSpec>, generated.PinterestDaemonSpec>,
  PinterestTrainingJob: true satisfies Same<Written<typeof trainingJobSpec>, generated.PinterestTrainingJobSpec>,
  PinterestStatefulSet: true satisfies Same<Written<typeof statefulSetSpec>, generated.PinterestStatefulSetSpec>,
  Project: true satisfies Same<Written<typeof projectSpec>, generated.ProjectSpec>,
  RuntimeProfile: true satisfies Same<Written<typeof runtimeProfileSpec>, generated.RuntimeProfileSpec>,
  Platform: true satisfies Same<Written<typeof platformSpec>, generated.PlatformSpec>,
  PlatformRevision: true satisfies Same<Written<typeof platformRevisionSpec>, generated.PlatformRevisionSpec>,
  PlatformRollout: true satisfies Same<Written<typeof platformRolloutSpec>, generated.PlatformRolloutSpec>,
} satisfies Record<PinionKind, true>;

test('the generated interface and the schema of each kind accept the same specs at compile time', () => {
  expect(Object.keys(proofs)).toEqual(Object.keys(pinionKinds));
});
