import { type WorkloadKind } from '../../../lib/api';
import { type Client, type SendableObject } from '../../control-plane/client';
import { type Chance } from './chance';
import { delay, persist } from './persist';
import {
  generateWorkload,
  changed,
  manifestOf,
  isScaled,
  type RoundProjects,
  type WorkloadManifest,
  scaled,
} from './population';

/** Manifests of one workload that the user applied since it was last created. */
export interface Story {
  /** Manifest that was applied last. */
  readonly workload: WorkloadManifest;
  /** All manifests, in order. */
  readonly history: readonly WorkloadManifest[];
  /** Whether nothing changes it in this round. */
  readonly isUntouched: boolean;
}

/** User who applies, changes, scales, deletes and recreates workloads, and records the desired state. */
export class User {
  readonly stories = new Map<string, Story>();
  /** Workloads that were deleted. */
  readonly gone = new Map<string, WorkloadManifest>();
  /** Log of actions. */
  readonly log: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly chance: Chance,
    private readonly projects: RoundProjects,
  ) {}

  /** Applies a workload that may or may not exist. */
  async apply(workload: WorkloadManifest, isUntouched = false): Promise<void> {
    await persist(`apply ${keyOf(workload)}`, () =>
      this.client.applyForReal(manifestOf(workload) as SendableObject),
    ).then(({ status, body }) => {
      if (status >= 300) throw new Error(`${keyOf(workload)} was refused: ${JSON.stringify(body)}`);
    });
    const before = this.stories.get(keyOf(workload));
    this.stories.set(keyOf(workload), { workload, history: [...(before?.history ?? []), workload], isUntouched });
    this.gone.delete(keyOf(workload));
  }

  /** Performs a random action. */
  async act(): Promise<void> {
    const { chance } = this;
    const active = [...this.stories.values()].filter(({ isUntouched }) => !isUntouched).map(({ workload }) => workload);
    const left = [...this.gone.values()];
    const roll = chance.next();
    if (left.length > 0 && (roll < 0.15 || active.length < 4))
      return this.#do('recreate', chance.of(left), (workload) =>
        this.apply(regenerated(workload, this.projects, chance)),
      );
    if (active.length === 0) return;
    const workload = chance.of(active);
    if (roll < 0.25) return this.#do('delete', workload, () => this.remove(workload));
    if (roll < 0.35)
      return this.#do('delete and recreate', workload, async () => {
        await this.remove(workload, true);
        await this.apply(regenerated(workload, this.projects, chance));
      });
    if (roll < 0.55 && isScaled(workload))
      return this.#do('scale', workload, () => this.apply(scaled(workload, chance.integer(0, 3))));
    if (roll < 0.65) return this.#do('apply again', workload, () => this.apply(workload));
    return this.#do('change', workload, () => this.apply(changed(workload, chance)));
  }

  /** Deletes a workload, optionally waiting until it is gone. */
  async remove(workload: WorkloadManifest, untilGone = false): Promise<void> {
    const reference = manifestOf(workload) as SendableObject;
    await persist(`delete ${keyOf(workload)}`, () => this.client.delete(reference));
    this.stories.delete(keyOf(workload));
    this.gone.set(keyOf(workload), workload);
    while (untilGone && (await persist(`read ${keyOf(workload)}`, () => this.client.get(reference))).status !== 404)
      await delay(100);
  }

  async #do(
    what: string,
    workload: WorkloadManifest,
    action: (workload: WorkloadManifest) => Promise<void>,
  ): Promise<void> {
    this.log.push(`${new Date().toISOString()} ${what} ${keyOf(workload)}`);
    await action(workload);
    const { spec } = this.stories.get(keyOf(workload))?.workload ?? {};
    if (spec) this.log.push(`  ${JSON.stringify({ ...spec, template: undefined })}`);
  }
}

/** Generates a new workload with the same name. */
const regenerated = (
  { kind, metadata: { name } }: WorkloadManifest,
  projects: RoundProjects,
  chance: Chance,
): WorkloadManifest => generateWorkload(kind, name, projects, chance);

/** Returns kind, project and name of a workload. */
export const keyOf = ({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string; readonly name: string };
}): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** Returns the kind of a workload by its key. */
export const kindOfKey = (key: string): WorkloadKind => key.split(' ')[0] as WorkloadKind;
