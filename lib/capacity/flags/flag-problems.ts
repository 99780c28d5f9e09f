import { nearest, parseGoDuration, type Problem } from '../../api';
import { flagKinds } from './flag-kinds';
import { admissionPlugins, flagsOf, removedFlags } from './planned-flags';
import { controlPlanePrograms, type Load, type ControlPlaneProgram } from '../load/load';
import { admissionProblems, ownedFlagProblem, ownedFlags } from './owned-flags';

/** Returns the problems of extra flags: unknown in the version, reserved, set by the plan, or with an invalid value. */
export function flagProblems(load: Load): Problem[] {
  const problems = controlPlanePrograms.flatMap((program) => {
    return Object.entries(load.flags[program] ?? {}).flatMap(([given, value]) => {
      const name = given.replace(/^--/, '');
      const path = ['flags', program, given];
      const removal = removedFlags[name];
      const known = flagsOf(program, load.kubernetes);
      if (removal && !known.has(name)) return [problem(path, value, removal.reason, removal.remedy)];
      if (name === 'default-watch-cache-size' && removal) return [problem(path, value, removal.reason, removal.remedy)];
      if (!known.has(name)) {
        const guess = nearest(name, [...known]);
        const reason = `is not a flag of ${program} ${load.kubernetes}`;
        return [problem(path, value, reason, guess ? `did you mean "${guess}"?` : 'remove it')];
      }
      if (ownedFlags(program).includes(name)) return [ownedFlagProblem(path, value)];
      if (given !== name) return [problem(path, value, 'starts with dashes', `write "${name}"`)];
      const planned = overrideNames[program][name];
      if (planned) return [problem(path, value, 'is set by the plan', `override it: overrides.${planned}`)];
      return valueProblems(path, name, value);
    });
  });
  const added = load.flags['kube-apiserver'] ?? {};
  const plugins = Object.keys(added).some((name) => name.endsWith('able-admission-plugins'));
  return plugins
    ? [
        ...problems,
        ...admissionProblems(['flags', 'kube-apiserver'], { 'enable-admission-plugins': admissionPlugins, ...added }),
      ]
    : problems;
}

const flagTypes = new Map(
  (Object.entries(flagKinds) as [keyof typeof flagKinds, string][]).flatMap(([kind, names]) =>
    names.split(' ').map((name): [string, keyof typeof flagKinds] => [name, kind]),
  ),
);

/** Checks of each value type, as in Go's flag parser. */
const valueChecks: Readonly<
  Record<keyof typeof flagKinds, readonly [isValid: (text: string) => boolean, remedy: string]>
> = {
  boolean: [(text) => /^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(text), 'use "true" or "false"'],
  integer: [(text) => /^[+-]?\d+$/.test(text), 'use a whole number, such as "10"'],
  float: [
    (text) => text.trim() === text && text !== '' && Number.isFinite(Number(text)),
    'use a number, such as "0.5"',
  ],
  duration: [(text) => parseGoDuration(text) !== undefined, 'use a duration, such as "30s"'],
};

function valueProblems(path: Problem['path'], name: string, value: string): Problem[] {
  const kind = flagTypes.get(name);
  if (kind === undefined || valueChecks[kind][0](value)) return [];
  return [
    { code: 'bad-format', path, value, reason: `is not a valid value of --${name}`, remedy: valueChecks[kind][1] },
  ];
}

/** Override that sets each planned flag. */
const overrideNames: Readonly<Record<ControlPlaneProgram, Readonly<Record<string, string>>>> = {
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
