import { entriesAt, fieldIfSet, isSame, without, type Fields } from './fields';

/** Mounts of one volume by containers. */
export interface Mounts {
  /** First mount; undefined if no container mounts the volume. */
  readonly first: Fields | undefined;
  /** Whether some mounts differ from the first. */
  readonly differ: boolean;
  /** Whether there are as many mounts as containers. */
  readonly everywhere: boolean;
}

/** Returns how the containers mount a volume. */
export function mountsOf(containers: readonly Fields[], volume: string): Mounts {
  const mounts = containers.flatMap((container) =>
    entriesAt(container, 'volumeMounts').filter(({ name }) => name === volume),
  );
  const [first] = mounts;
  return {
    first,
    differ: mounts.some((mount) => !isSame(mount, first)),
    everywhere: mounts.length >= containers.length,
  };
}

/** Removes the mounts of some volumes from containers. */
export const withoutMounts = (containers: readonly Fields[], volumes: ReadonlySet<string>): readonly Fields[] =>
  containers.map((container) => ({
    ...without(container, 'volumeMounts'),
    ...fieldIfSet(
      'volumeMounts',
      entriesAt(container, 'volumeMounts').filter(({ name }) => !volumes.has(String(name))),
    ),
  }));
