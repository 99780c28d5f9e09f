import { type PlatformManifest } from '../../api';
import { type RuntimeStatus } from './platform-with-profile';

type Runtime = PlatformManifest<'Platform'>['spec']['runtime'];

/** Maximum number of profiles in the lists of a record. */
const maxListed = 8;
/** Maximum number of profiles with settings. */
const maxSettings = 16;

/**
 * Returns the record after the Platform named a profile.
 *
 * A profile that was in force before is a way back: those that followed it are withdrawn. `time` is that of now, RFC 3339. Pure, so
 * that a reconcile of a workload does not have to wait for the status of the Platform.
 */
export function nextRuntimeRecord(
  previous: RuntimeStatus | undefined,
  { profile }: Pick<Runtime, 'profile'>,
  time: string,
): RuntimeStatus {
  if (!previous) return { profile, since: time };
  if (previous.profile === profile) return previous;
  const { previousProfiles = [], withdrawnProfiles = [], settings } = previous;
  const changed = { profile, since: time, ...(settings && { settings }) };
  const position = previousProfiles.indexOf(profile);
  if (position < 0) return { ...changed, previousProfiles: firsts(previous.profile, ...previousProfiles) };
  const former = previousProfiles.slice(position + 1);
  return {
    ...changed,
    ...(former.length > 0 && { previousProfiles: former }),
    withdrawnProfiles: firsts(previous.profile, ...previousProfiles.slice(0, position), ...withdrawnProfiles),
  };
}

const firsts = (...profiles: readonly string[]): string[] => [...new Set(profiles)].slice(0, maxListed);

/**
 * Adds images and values to a record: those of the Platform to the profile in force, and to others in use that have none yet.
 * Settings of profiles that are neither in use nor in the record are removed.
 */
export function withRuntimeSettings(
  record: RuntimeStatus,
  { images, values }: Pick<Runtime, 'images' | 'values'>,
  inUse: readonly string[],
): RuntimeStatus {
  const { profile, previousProfiles = [], withdrawnProfiles = [], settings: recorded = {} } = record;
  const others = [...new Set([...inUse, ...withdrawnProfiles, ...previousProfiles])].filter((name) => name !== profile);
  const settings = others
    .slice(0, maxSettings - 1)
    .flatMap((name): [string, NonNullable<RuntimeStatus['settings']>[string]][] => {
      const known = recorded[name] ?? (inUse.includes(name) ? { images, values } : undefined);
      return known ? [[name, known]] : [];
    });
  const sorted = [...settings, [profile, { images, values }] as const].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...record, settings: Object.fromEntries(sorted) };
}
