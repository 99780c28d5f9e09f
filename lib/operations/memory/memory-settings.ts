import { type Problem, parseDuration } from '../../api';
import { type MemoryMode, memoryModes, type ReclaimPolicy, defaultReclaimPolicy } from './plan-reclaim';

/** Settings of an agent. */
export interface MemorySettings {
  readonly mode: MemoryMode;
  /** Control group to monitor, by process or path. */
  readonly group: { readonly process: string } | { readonly path: string };
  /** Folders whose files are dropped from the page cache if the kernel cannot reclaim page cache, as with cgroup v1. */
  readonly folders: readonly string[];
  readonly policy: ReclaimPolicy;
  /** Poll interval in milliseconds. */
  readonly interval: number;
  readonly host: string;
  readonly port: number;
}

/** Reads the settings from the environment, or returns all problems with them. */
export function readMemorySettings(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: MemorySettings } | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const addProblem = (name: string, value: string, reason: string, remedy: string): void =>
    void problems.push({ code: 'bad-format', path: [name], value, reason, remedy });
  const fraction = (name: string, defaultValue: number): number => {
    const text = environment[name];
    const value = text === undefined ? defaultValue : Number(text);
    if (!(value > 0 && value < 1))
      addProblem(name, String(text), 'must be between 0 and 1', 'use a number such as 0.9');
    return value;
  };
  const mode = memoryModes.find((known) => known === (environment['MODE'] ?? 'observe'));
  if (!mode) addProblem('MODE', String(environment['MODE']), 'is not a mode', `use ${memoryModes.join(', ')}`);
  const policy = { high: fraction('HIGH', defaultReclaimPolicy.high), low: fraction('LOW', defaultReclaimPolicy.low) };
  if (policy.low >= policy.high)
    addProblem('LOW', String(policy.low), 'must be less than HIGH', 'use a value at least 0.05 below HIGH');
  const interval = parseDuration(environment['INTERVAL'] ?? '5s')?.millis ?? 0;
  if (interval < 100)
    addProblem(
      'INTERVAL',
      String(environment['INTERVAL']),
      'must be a duration of at least 100ms',
      'use a duration such as 5s',
    );
  const port = Number(environment['PORT'] ?? 9441);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    addProblem('PORT', String(environment['PORT']), 'is not a port', 'use a number up to 65535');
  if (problems.length > 0 || !mode) return { problems };
  const path = environment['CGROUP'];
  return {
    settings: {
      mode,
      policy,
      interval,
      port,
      group: path === undefined ? { process: environment['PROCESS'] ?? 'kube-apiserver' } : { path },
      folders: (environment['FOLDERS'] ?? '').split(':').filter((folder) => folder !== ''),
      host: environment['HOST'] ?? '127.0.0.1',
    },
  };
}
