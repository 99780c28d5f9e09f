import { type Change, type Deployment, type DeploymentEvent } from '../../lib/contract';

/** A request that the service received. */
export interface ReceivedRequest {
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly body: unknown;
}

/** A service for the page, with events that a test can trigger. */
export interface PageService {
  /** URL of the page, without a trailing slash. */
  readonly url: string;
  /** Write requests, in order. */
  readonly received: readonly ReceivedRequest[];
  /** Applies a change, and streams it to clients. */
  readonly change: (change: Change) => void;
  /** Adds an event to a deployment, and streams it to clients. */
  readonly emitEvent: (deployment: Deployment, event: Omit<DeploymentEvent, 'number' | 'at'>) => void;
  /** Ends all sessions. */
  readonly endSessions: () => void;
  /** Closes all streams; they may be reopened after the given number of failed attempts. */
  readonly breakStreams: (failures?: number) => void;
  /** Drops the responses to the given number of write requests, after their execution. */
  readonly dropResponses: (count: number) => void;
  /** Requests outside of the contract, and errors of the fake service. */
  readonly faults: readonly string[];
  readonly close: () => Promise<void>;
}
