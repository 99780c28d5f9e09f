import { isDeepStrictEqual } from 'node:util';
import { isPlainObject, keys } from '../api';
import { type KubernetesObject } from '../expand';
import { attemptName } from './attempt';
import { type Child } from './child';
import { type RunRecord } from './conducted';
import { type Piece } from './piece';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a Job that cannot change once it exists. */
const immutable = [
  'template',
  'completions',
  'completionMode',
  'backoffLimitPerIndex',
  'podFailurePolicy',
  'successPolicy',
  'selector',
  'managedBy',
] as const;

/** A Job as it is to be now: of its attempt, without a time to live of its own, and waiting where it must not run. */
export function arrangedJob({ object, child, standing }: Piece, record: RunRecord, waits: boolean): KubernetesObject {
  const { ttlSecondsAfterFinished: _, suspend: __, ...spec } = object['spec'] as Fields;
  const kept = child ? withImmutable(spec, child) : spec;
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [keys.run]: attemptName(record) } },
    spec: { ...kept, ...(waits && !standing?.over && !standing?.ending && { suspend: true }) },
  };
}

/** A running Job ends as it began: what cannot change is taken from it where it differs. */
function withImmutable(spec: Fields, child: Child): Fields {
  const live = (child.content()['spec'] ?? {}) as Fields;
  const differing = immutable.filter((field) => !isWithin(spec[field], live[field], field === 'selector'));
  if (differing.length === 0) return spec;
  const rest = Object.entries(spec).filter(([field]) => !(differing as readonly string[]).includes(field));
  return Object.fromEntries([
    ...rest,
    ...differing.flatMap((field) => (live[field] === undefined ? [] : [[field, live[field]]])),
  ]);
}

/** Whether all that is wanted is there; the API server adds defaults. One that it only writes differently counts as missing. */
function isWithin(wanted: unknown, live: unknown, generated = false): boolean {
  if (wanted === undefined) return generated || live === undefined || live === 'NonIndexed';
  return includes(wanted, live);
}

function includes(wanted: unknown, live: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(live) && wanted.length === live.length && wanted.every((item, at) => includes(item, live[at]));
  if (isPlainObject(wanted))
    return (
      isPlainObject(live) &&
      Object.entries(wanted).every(([key, value]) => value === undefined || includes(value, live[key]))
    );
  return isDeepStrictEqual(wanted, live);
}

/** A live object as one to be: nothing of it changes. */
export function asItIs(child: Child): KubernetesObject {
  const { metadata, status: _, ...body } = child.content() as ReturnType<Child['content']> & { status?: unknown };
  const { name, namespace, labels, annotations } = metadata;
  const { [keys.applied]: __, ...own } = annotations ?? {};
  return {
    ...body,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(Object.keys(own).length > 0 && { annotations: own }),
    },
  } as KubernetesObject;
}
