import { createHash } from 'node:crypto';
import { builtInWaves, type RolloutPolicy } from '../../api';

/** A workload that a revision changes. */
export interface WaveMember {
  readonly uid: string;
  readonly kind: string;
  readonly project: string;
  readonly tier: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Whether it runs on every node. */
  readonly perNode: boolean;
  /** Whether it was not ready when the rollout started. */
  readonly wasUnready: boolean;
}

/** Wave of a rollout with its members, in the order in which they are released. */
export interface AssignedWave<Member extends WaveMember> {
  readonly name: string;
  /** Time that its workloads must stay healthy, such as `5m`. */
  readonly soak: string;
  readonly members: readonly Member[];
}

/**
 * Assigns workloads to the waves of a policy: a workload belongs to the first wave that it matches and whose share it is in, by the
 * hash of revision and UID. The others follow, then daemons, then what was not ready at the start. Waves without members are included.
 */
export function assignWaves<Member extends WaveMember>(
  policy: Pick<RolloutPolicy, 'waves' | 'soak'>,
  revision: string,
  members: readonly Member[],
): readonly AssignedWave<Member>[] {
  const ordered = inOrder(revision, members);
  let open = ordered.filter(({ wasUnready }) => !wasUnready);
  const waves = policy.waves.map((wave): AssignedWave<Member> => {
    const matching = open.filter((member) => matches(wave, member));
    const chosen = new Set(matching.slice(0, Math.ceil((matching.length * wave.share) / 100)));
    open = open.filter((member) => !chosen.has(member));
    return { name: wave.name, soak: wave.soak, members: [...chosen] };
  });
  const { soak } = policy;
  return [
    ...waves,
    { name: builtInWaves.rest, soak, members: open.filter(({ perNode }) => !perNode) },
    { name: builtInWaves.daemons, soak, members: open.filter(({ perNode }) => perNode) },
    { name: builtInWaves.unready, soak: '0s', members: ordered.filter(({ wasUnready }) => wasUnready) },
  ];
}

function matches(wave: RolloutPolicy['waves'][number], { kind, project, tier, labels, perNode }: WaveMember): boolean {
  const { kinds, projects, tiers } = wave;
  return (
    (kinds ? kinds.some((one) => one === kind) : !perNode) &&
    (projects?.includes(project) ?? true) &&
    (tiers?.includes(tier) ?? true) &&
    Object.entries(wave.labels).every(([key, value]) => labels[key] === value)
  );
}

function inOrder<Member extends WaveMember>(revision: string, members: readonly Member[]): readonly Member[] {
  const places = placesOf(revision, members);
  return members
    .map((member) => ({ member, place: places.get(member.uid) ?? '' }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ member }) => member);
}

/** Places of the last revision: a rollout asks at each of its decisions. */
let known: { readonly revision: string; readonly places: Map<string, string> } | undefined;

function placesOf(revision: string, members: readonly WaveMember[]): ReadonlyMap<string, string> {
  // It forgets the places of deleted workloads.
  if (known?.revision !== revision || known.places.size > 2 * members.length + 1000)
    known = { revision, places: new Map() };
  const { places } = known;
  for (const { uid } of members) if (!places.has(uid)) places.set(uid, placeOf(revision, uid));
  return places;
}

const placeOf = (revision: string, uid: string): string =>
  createHash('sha256').update(`${revision}/${uid}`).digest('hex');
