import {
  type Caller,
  type ClusterRolloutsView,
  type Deployment,
  type DeploymentDiff,
  type DeploymentEvent,
  type DeploymentPreview,
  type ProjectClientsView,
  type VersionView,
  type WorkloadDetail,
} from '../../contract';
import { type Viewport } from '../dom/vnode';
import { type ConnectionState } from '../transport/connection';
import { type RequestFailure } from '../transport/page-transport';
import { emptyInventory, type Inventory } from './inventory';
import { type Route } from './route';

/** Result of a request that may be in progress. */
export type Loadable<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly failed: RequestFailure }
  | { readonly status: 'loaded'; readonly value: T };

/** Confirmation of an action. */
export interface Confirmation {
  readonly title: string;
  /** Effects of the action, one sentence each. */
  readonly effects: readonly string[];
  /** A warning. */
  readonly warning?: string;
  /** Label of the confirm button. */
  readonly confirmLabel: string;
  /** Label of the button that closes the dialog. @default 'Cancel' */
  readonly dismissLabel?: string;
  readonly path: string;
  readonly body: unknown;
  /** Whether it is sent with an idempotency key, so that it can be retried. */
  readonly withIdempotencyKey: boolean;
  readonly sending: boolean;
  readonly failed?: RequestFailure | undefined;
  /** Announcement after success. */
  readonly doneMessage: string;
}

/** Events of the displayed deployment and the state of their stream. */
export interface EventFeed {
  readonly id: string;
  readonly state: ConnectionState;
  readonly events: readonly DeploymentEvent[];
  readonly failed?: RequestFailure | undefined;
}

/** Progress of the deployment list. */
export interface DeploymentListing {
  readonly loading: boolean;
  readonly failed?: RequestFailure | undefined;
  /** Request time of the oldest listed deployment, since which the list is complete; absent if all are listed. */
  readonly horizon?: string | undefined;
  /** Cursor of the next page; absent on the last. */
  readonly next?: string | undefined;
}

/** State of the deploy form, in addition to the selection in the URL. */
export interface DeployDraft {
  /** Versions of the selected project. */
  readonly versions?: Loadable<readonly VersionView[]> | undefined;
  /** Deployments of the selected project that have ended Ready, newest first. */
  readonly past?: Loadable<readonly Deployment[]> | undefined;
  /** Reason to bypass the publishers of a protected stage; absent without break-glass. */
  readonly breakGlass?: string | undefined;
  readonly preview?: Loadable<DeploymentPreview> | undefined;
  /** Whether the stage does not trust the publisher of the selected artifact; break-glass is offered only then. */
  readonly untrusted?: boolean;
  /** Confirmation of an approval. */
  readonly approved?: string | undefined;
}

/** State of the page, from which everything is rendered. */
export interface State {
  readonly route: Route;
  readonly caller?: Caller | undefined;
  readonly connection: ConnectionState;
  readonly inventory: Inventory;
  /** Failure of the last listing of projects or workloads. */
  readonly failed?: RequestFailure | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly viewport?: Viewport | undefined;
  /** Key of the active row in the workload list. */
  readonly active?: string | undefined;
  readonly workload?: Loadable<WorkloadDetail> | undefined;
  /** Clients of the API server, of every visible project on each cluster. */
  readonly clients?: Loadable<readonly ProjectClientsView[]> | undefined;
  /** Rollouts of the Platform of each cluster. */
  readonly rollouts?: Loadable<readonly ClusterRolloutsView[]> | undefined;
  /** Failure to load the displayed deployment. */
  readonly deploymentFailed?: RequestFailure | undefined;
  /** Changes in the displayed deployment; absent until it has started. */
  readonly diff?: Loadable<DeploymentDiff> | undefined;
  readonly listing: DeploymentListing;
  readonly eventFeed?: EventFeed | undefined;
  readonly draft: DeployDraft;
  readonly confirmation?: Confirmation | undefined;
  /** State of signing out; absent unless requested. */
  readonly signingOut?: 'sending' | 'failed' | undefined;
  /** Announcement for screen readers. */
  readonly announcement: string;
}

/** Returns the state of the page before anything is loaded. */
export const initialState = (route: Route, now: number): State => ({
  route,
  connection: 'connecting',
  inventory: emptyInventory,
  now,
  listing: { loading: false },
  draft: {},
  announcement: '',
});

/** Actions of the user. */
export interface Actions {
  readonly setViewport: (viewport: Viewport) => void;
  readonly setActiveRow: (key: string, index: number) => void;
  readonly navigate: (route: Route) => void;
  /** Replaces the current route in the browser's history. */
  readonly replaceRoute: (route: Route) => void;
  readonly listMore: () => void;
  readonly breakGlass: (reason: string | undefined) => void;
  readonly preview: () => void;
  readonly requestConfirmation: (confirmation: Omit<Confirmation, 'sending' | 'failed'>) => void;
  readonly confirm: () => void;
  readonly dismiss: () => void;
  readonly signOut: () => void;
  readonly focus: (id: string) => void;
}
