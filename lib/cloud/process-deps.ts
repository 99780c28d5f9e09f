import { type Clock } from '../kube';

/** Dependencies that a process passes to its program. */
export interface ProcessDeps {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Name of the machine or pod. */
  readonly host: string;
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Aborted on shutdown. */
  readonly stop: AbortSignal;
}
