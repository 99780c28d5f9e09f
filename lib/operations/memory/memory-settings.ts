import { type Problem, parseDuration } from '../../api';
import { type MemoryMode, memoryModes, type ReclaimPolicy, defaultReclaimPolicy } from './plan-reclaim';

/** How an agent runs. */
export interface MemorySettings {
  readonly mode: MemoryMode;
  /** Whose group it looks at. */
  readonly group: { readonly process: string } | { readonly path: string };
  /** Folders whose files are dropped from the page cache where version 1 has no other way. */
  readonly folders: readonly string[];
  readonly policy: ReclaimPolicy;
  /** Milliseconds between two looks. */
  readonly interval: number;
  readonly host: string;
  readonly port: number;
}

/** Reads the variables of an agent; all problems at once. */
export function readMemorySettings(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: MemorySettings } | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const wrong = (name: string, value: string, reason: string, remedy: string): void =>
    void problems.push({ code: 'bad-format', path: [name], value, reason, remedy });
  const part = (name: string, usual: number): number => {
    const text = environment[name];
    const value = text === undefined ? usual : Number(text);
    if (!(value > 0 && value < 1)) wrong(name, String(text), 'is no part of 1', 'use a number such as 0.9');
    return value;
  };
  const mode = memoryModes.find((known) => known === (environment['MODE'] ?? 'observe'));
  if (!mode) wrong('MODE', String(environment['MODE']), 'is no mode', `use ${memoryModes.join(', ')}`);
  const policy = { high: part('HIGH', defaultReclaimPolicy.high), low: part('LOW', defaultReclaimPolicy.low) };
  if (policy.low >= policy.high)
    wrong('LOW', String(policy.low), 'is not below HIGH', 'leave a twentieth of the limit between them');
  const interval = parseDuration(environment['INTERVAL'] ?? '5s')?.millis ?? 0;
  if (interval < 100)
    wrong('INTERVAL', String(environment['INTERVAL']), 'is no time from 100ms', 'use a time such as 5s');
  const port = Number(environment['PORT'] ?? 9441);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    wrong('PORT', String(environment['PORT']), 'is no port', 'use a number up to 65535');
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
