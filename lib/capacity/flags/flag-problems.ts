import { nearest, parseGoDuration, type Problem } from '../../api';
import { flagKinds } from './flag-kinds';
import { admissionPlugins, flagsOf, removedFlags } from './planned-flags';
import { controlPlanePrograms, type Load, type ControlPlaneProgram } from '../load/load';
import { admissionProblems, ownedFlagProblem, ownedFlags } from './owned-flags';

/** Returns the problems of extra flags: unknown to the version, reserved, or set by the plan. */
export function flagProblems(load: Load): Problem[] {
  const ofPrograms = controlPlanePrograms.flatMap((program) => {
    const owned = new Set(ownedFlags(program));
    return Object.entries(load.flags[program] ?? {}).flatMap(([written, value]) => {
      const name = written.replace(/^--/, '');
      const path = ['flags', program, written];
      const lost = removedFlags[name];
      const known = flagsOf(program, load.kubernetes);
      if (lost && !known.has(name)) return [problem(path, value, lost.since, lost.instead)];
      if (name === 'default-watch-cache-size' && lost) return [problem(path, value, lost.since, lost.instead)];
      if (!known.has(name)) {
        const guess = nearest(name, [...known]);
        const reason = `is not a flag of ${program} ${load.kubernetes}`;
        return [problem(path, value, reason, guess ? `did you mean "${guess}"?` : 'remove it')];
      }
      if (owned.has(name)) return [ownedFlagProblem(path, value)];
      if (written !== name) return [problem(path, value, 'starts with dashes', `write "${name}"`)];
      const planned = plannedBy[program][name];
      if (planned) return [problem(path, value, 'is set by the plan', `override it: overrides.${planned}`)];
      return formProblems(path, name, value);
    });
  });
  const added = load.flags['kube-apiserver'] ?? {};
  const plugins = Object.keys(added).some((name) => name.endsWith('able-admission-plugins'));
  return plugins
    ? [
        ...ofPrograms,
        ...admissionProblems(['flags', 'kube-apiserver'], { 'enable-admission-plugins': admissionPlugins, ...added }),
      ]
    : ofPrograms;
}

const forms = new Map(
  (Object.entries(flagKinds) as [keyof typeof flagKinds, string][]).flatMap(([kind, names]) =>
    names.split(' ').map((name): [string, keyof typeof flagKinds] => [name, kind]),
  ),
);

/** Values that each type of flag accepts, like Go's flag parser. */
const taken: Readonly<Record<keyof typeof flagKinds, readonly [is: (text: string) => boolean, remedy: string]>> = {
  boolean: [(text) => /^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(text), 'use "true" or "false"'],
  whole: [(text) => /^[+-]?\d+$/.test(text), 'use a whole number, such as "10"'],
  fraction: [
    (text) => text.trim() === text && text !== '' && Number.isFinite(Number(text)),
    'use a number, such as "0.5"',
  ],
  duration: [(text) => parseGoDuration(text) !== undefined, 'use a duration, such as "30s"'],
};

function formProblems(path: Problem['path'], name: string, value: string): Problem[] {
  const kind = forms.get(name);
  if (kind === undefined || taken[kind][0](value)) return [];
  return [{ code: 'bad-format', path, value, reason: `is not a valid value of --${name}`, remedy: taken[kind][1] }];
}

/** Flags that an override sets. */
const plannedBy: Readonly<Record<ControlPlaneProgram, Readonly<Record<string, string>>>> = {
  'kube-apiserver': {
    'max-requests-inflight': 'maxRequestsInflight',
    'max-mutating-requests-inflight': 'maxMutatingRequestsInflight',
    'request-timeout': 'requestTimeoutSeconds',
    'min-request-timeout': 'minRequestTimeoutSeconds',
    'watch-cache-sizes': 'watchCacheSizes',
    'goaway-chance': 'goawayChance',
    'event-ttl': 'eventTtlSeconds',
    'delete-collection-workers': 'deleteCollectionWorkers',
    'etcd-compaction-interval': 'etcdCompactionIntervalSeconds',
    'shutdown-delay-duration': 'shutdownDelaySeconds',
  },
  'kube-controller-manager': { 'kube-api-qps': 'controllerManagerQps', 'kube-api-burst': 'controllerManagerBurst' },
  'kube-scheduler': { 'kube-api-qps': 'schedulerQps', 'kube-api-burst': 'schedulerBurst' },
};

const problem = (path: Problem['path'], value: unknown, reason: string, remedy: string): Problem => ({
  code: 'unsupported-field',
  path,
  value,
  reason,
  remedy,
});
