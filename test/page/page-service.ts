import { type Change, type Deployment, type DeploymentEvent } from '../../lib/contract';

/** A request that a service was sent. */
export interface Received {
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly body: unknown;
}

/** A service that serves the page, and what a test can make happen there. */
export interface PageService {
  /** Where the page is, without a slash at its end. */
  readonly url: string;
  /** Requests that write, in their order. */
  readonly received: readonly Received[];
  /** Lets something become so, and tells who looks. */
  readonly change: (change: Change) => void;
  /** Lets something happen to a deployment, and tells who looks. */
  readonly happen: (deployment: Deployment, event: Omit<DeploymentEvent, 'number' | 'at'>) => void;
  /** Ends all sessions. */
  readonly endSessions: () => void;
  /** Breaks all streams off; they may be opened again after so many attempts that fail. */
  readonly breakStreams: (failures?: number) => void;
  /** Breaks off the answers to so many requests that write, after they were done. */
  readonly loseAnswers: (count: number) => void;
  /** What it was asked that the contract does not know, and where it failed itself. */
  readonly faults: readonly string[];
  readonly close: () => Promise<void>;
}
