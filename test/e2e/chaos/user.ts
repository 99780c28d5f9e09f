import { type WorkloadKind } from '../../../lib/api';
import { type Client, type SendableObject } from '../../control-plane/client';
import { type Chance } from './chance';
import { passed, persist } from './persist';
import { anyOf, changed, documentOf, isScaled, type Places, type Said, scaled } from './population';

/** What a user has said of one workload since it was last created. */
export interface Story {
  /** What holds: what was said last. */
  readonly said: Said;
  /** All of it, in order. */
  readonly history: readonly Said[];
  /** Nobody touches it in this round. */
  readonly still: boolean;
}

/** Somebody who applies, changes, scales, deletes and recreates workloads, and knows what holds. */
export class User {
  readonly stories = new Map<string, Story>();
  /** Workloads that are to be gone. */
  readonly gone = new Map<string, Said>();
  /** What was done, for people. */
  readonly log: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly chance: Chance,
    private readonly places: Places,
  ) {}

  /** Applies a workload that may or may not be there. */
  async say(said: Said, still = false): Promise<void> {
    await persist(`apply ${keyOf(said)}`, () => this.client.applyForReal(documentOf(said) as SendableObject)).then(
      ({ status, body }) => {
        if (status >= 300) throw new Error(`${keyOf(said)} was refused: ${JSON.stringify(body)}`);
      },
    );
    const before = this.stories.get(keyOf(said));
    this.stories.set(keyOf(said), { said, history: [...(before?.history ?? []), said], still });
    this.gone.delete(keyOf(said));
  }

  /** Does something that a person might do now. */
  async act(): Promise<void> {
    const { chance } = this;
    const moving = [...this.stories.values()].filter(({ still }) => !still).map(({ said }) => said);
    const left = [...this.gone.values()];
    const roll = chance.next();
    if (left.length > 0 && (roll < 0.15 || moving.length < 4))
      return this.#do('recreate', chance.of(left), (said) => this.say(anew(said, this.places, chance)));
    if (moving.length === 0) return;
    const said = chance.of(moving);
    if (roll < 0.25) return this.#do('delete', said, () => this.remove(said));
    if (roll < 0.35)
      return this.#do('delete and recreate', said, async () => {
        await this.remove(said, true);
        await this.say(anew(said, this.places, chance));
      });
    if (roll < 0.55 && isScaled(said)) return this.#do('scale', said, () => this.say(scaled(said, chance.whole(0, 3))));
    if (roll < 0.65) return this.#do('apply again', said, () => this.say(said));
    return this.#do('change', said, () => this.say(changed(said, chance)));
  }

  /** Deletes a workload, and waits until it is gone where that is asked for. */
  async remove(said: Said, untilGone = false): Promise<void> {
    const reference = documentOf(said) as SendableObject;
    await persist(`delete ${keyOf(said)}`, () => this.client.delete(reference));
    this.stories.delete(keyOf(said));
    this.gone.set(keyOf(said), said);
    while (untilGone && (await persist(`read ${keyOf(said)}`, () => this.client.get(reference))).status !== 404)
      await passed(100);
  }

  async #do(what: string, said: Said, action: (said: Said) => Promise<void>): Promise<void> {
    this.log.push(`${new Date().toISOString()} ${what} ${keyOf(said)}`);
    await action(said);
    const { spec } = this.stories.get(keyOf(said))?.said ?? {};
    if (spec) this.log.push(`  ${JSON.stringify({ ...spec, template: undefined })}`);
  }
}

/** A new one of the same name. */
const anew = ({ kind, metadata: { name } }: Said, places: Places, chance: Chance): Said =>
  anyOf(kind, name, places, chance);

/** Kind, project and name of a workload. */
export const keyOf = ({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string; readonly name: string };
}): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** The kind of a workload by its key. */
export const kindOfKey = (key: string): WorkloadKind => key.split(' ')[0] as WorkloadKind;
