import { type Clock } from '../kube';

/** What a process hands to the program that it runs. */
export interface ProcessParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Name of the machine or pod. */
  readonly host: string;
  readonly log: (level: 'info' | 'warn' | 'error', message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Raised when the process is asked to end. */
  readonly stop: AbortSignal;
}
