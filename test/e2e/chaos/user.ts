import { type Client, type SendableObject } from '../../control-plane/client';
import { type SeededRandom } from './seeded-random';
import { delay, retryRequest } from './retry-request';
import {
  generateWorkload,
  changeRandomly,
  manifestOf,
  isScaled,
  type RoundProjects,
  type WorkloadManifest,
  scaleTo,
} from './random-workloads';

/** Manifests of one workload that the user applied since it was last created. */
export interface WorkloadHistory {
  /** Manifest that was applied last. */
  readonly workload: WorkloadManifest;
  /** All manifests, in order. */
  readonly history: readonly WorkloadManifest[];
  /** Whether it stays unchanged in this round. */
  readonly isUntouched: boolean;
}

/** User who applies, changes, scales, deletes and recreates workloads, and records the desired state. */
export class User {
  readonly workloads = new Map<string, WorkloadHistory>();
  /** Workloads that were deleted. */
  readonly gone = new Map<string, WorkloadManifest>();
  /** Log of actions. */
  readonly log: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly random: SeededRandom,
    private readonly projects: RoundProjects,
  ) {}

  /** Applies a workload that may or may not exist. */
  async apply(workload: WorkloadManifest, isUntouched = false): Promise<void> {
    await retryRequest(`apply ${keyOf(workload)}`, () =>
      this.client.apply(manifestOf(workload) as SendableObject),
    ).then(({ status, body }) => {
      if (status >= 300) throw new Error(`${keyOf(workload)} was rejected: ${JSON.stringify(body)}`);
    });
    const before = this.workloads.get(keyOf(workload));
    this.workloads.set(keyOf(workload), { workload, history: [...(before?.history ?? []), workload], isUntouched });
    this.gone.delete(keyOf(workload));
  }

  /** Performs a random action. */
  async act(): Promise<void> {
    const { random } = this;
    const active = [...this.workloads.values()]
      .filter(({ isUntouched }) => !isUntouched)
      .map(({ workload }) => workload);
    const deleted = [...this.gone.values()];
    const roll = random.next();
    if (deleted.length > 0 && (roll < 0.15 || active.length < 4))
      return this.#do('recreate', random.of(deleted), (workload) =>
        this.apply(regenerated(workload, this.projects, random)),
      );
    if (active.length === 0) return;
    const workload = random.of(active);
    if (roll < 0.25) return this.#do('delete', workload, () => this.remove(workload));
    if (roll < 0.35)
      return this.#do('delete and recreate', workload, async () => {
        await this.remove(workload, true);
        await this.apply(regenerated(workload, this.projects, random));
      });
    if (roll < 0.55 && isScaled(workload))
      return this.#do('scale', workload, () => this.apply(scaleTo(workload, random.integer(0, 3))));
    if (roll < 0.65) return this.#do('apply again', workload, () => this.apply(workload));
    return this.#do('change', workload, () => this.apply(changeRandomly(workload, random)));
  }

  /** Deletes a workload, optionally waiting until it is gone. */
  async remove(workload: WorkloadManifest, waitUntilGone = false): Promise<void> {
    const reference = manifestOf(workload) as SendableObject;
    await retryRequest(`delete ${keyOf(workload)}`, () => this.client.delete(reference));
    this.workloads.delete(keyOf(workload));
    this.gone.set(keyOf(workload), workload);
    while (
      waitUntilGone &&
      (await retryRequest(`read ${keyOf(workload)}`, () => this.client.get(reference))).status !== 404
    )
      await delay(100);
  }

  async #do(
    what: string,
    workload: WorkloadManifest,
    action: (workload: WorkloadManifest) => Promise<void>,
  ): Promise<void> {
    this.log.push(`${new Date().toISOString()} ${what} ${keyOf(workload)}`);
    await action(workload);
    const { spec } = this.workloads.get(keyOf(workload))?.workload ?? {};
    if (spec) this.log.push(`  ${JSON.stringify({ ...spec, template: undefined })}`);
  }
}

/** Generates a new workload with the same name. */
const regenerated = (
  { kind, metadata: { name } }: WorkloadManifest,
  projects: RoundProjects,
  random: SeededRandom,
): WorkloadManifest => generateWorkload(kind, name, projects, random);

/** Returns kind, project and name of a workload. */
export const keyOf = ({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string; readonly name: string };
}): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
