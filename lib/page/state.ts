import {
  type Caller,
  type DeploymentPreview,
  type Deployment,
  type DeploymentEvent,
  type DeploymentDiff,
  type VersionView,
  type WorkloadDetail,
} from '../contract';
import { type ConnectionState } from './connection';
import { type Viewport } from './element';
import { type Failed } from './page-transport';
import { emptyInventory, type Inventory } from './inventory';
import { type Route } from './route';

/** Something that was asked for. */
export type Loaded<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly failed: Failed }
  | { readonly status: 'loaded'; readonly value: T };

/** What is asked before something is done. */
export interface Question {
  readonly title: string;
  /** What will happen, one sentence each. */
  readonly facts: readonly string[];
  /** A warning. */
  readonly warning?: string;
  /** What the button says that does it. */
  readonly confirm: string;
  readonly path: string;
  readonly body: unknown;
  /** Whether it is sent with a key, so that it may be sent again. */
  readonly keyed: boolean;
  readonly sending: boolean;
  readonly failed?: Failed | undefined;
  /** Announcement when it is done. */
  readonly done: string;
}

/** What a deployment is followed with. */
export interface Following {
  readonly id: string;
  readonly state: ConnectionState;
  readonly events: readonly DeploymentEvent[];
  readonly failed?: Failed | undefined;
}

/** How far the list of deployments is known. */
export interface Listing {
  readonly loading: boolean;
  readonly failed?: Failed | undefined;
  /** When the oldest was asked for up to which all are known; absent where all are. */
  readonly horizon?: string | undefined;
  /** Where the next page begins; absent on the last. */
  readonly next?: string | undefined;
}

/** Version to deploy or to roll back to, in addition to the choice in the address. */
export interface Draft {
  /** Versions of the chosen project. */
  readonly versions?: Loaded<readonly VersionView[]> | undefined;
  /** Deployments of the chosen project that have ended Ready, the newest first. */
  readonly past?: Loaded<readonly Deployment[]> | undefined;
  /** Why the publishers of a protected stage are passed over; absent where they are not. */
  readonly breakGlass?: string | undefined;
  readonly preview?: Loaded<DeploymentPreview> | undefined;
  /** Whether the stage does not accept what is chosen, for who published it: only then is there a glass to break. */
  readonly untrusted?: boolean;
  /** An approval that was given. */
  readonly approved?: string | undefined;
}

/** All that the page shows hangs on this. */
export interface State {
  readonly route: Route;
  readonly caller?: Caller | undefined;
  readonly connection: ConnectionState;
  readonly inventory: Inventory;
  /** What kept projects or workloads from being listed. */
  readonly failed?: Failed | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly viewport?: Viewport | undefined;
  /** Key of the workload that the arrow keys have reached. */
  readonly active?: string | undefined;
  readonly workload?: Loaded<WorkloadDetail> | undefined;
  /** What kept the opened deployment from being shown. */
  readonly deploymentFailed?: Failed | undefined;
  /** What the opened deployment changes; absent until it has begun. */
  readonly diff?: Loaded<DeploymentDiff> | undefined;
  readonly listing: Listing;
  readonly following?: Following | undefined;
  readonly draft: Draft;
  readonly question?: Question | undefined;
  /** State of signing out; absent unless requested. */
  readonly signingOut?: 'sending' | 'failed' | undefined;
  /** Announcement to screen readers. */
  readonly announcement: string;
}

/** How the page begins. */
export const firstState = (route: Route, now: number): State => ({
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
  readonly seeRows: (seen: Viewport) => void;
  readonly activate: (key: string, place: number) => void;
  readonly open: (route: Route) => void;
  /** Replaces the present route in the history of the browser. */
  readonly revise: (route: Route) => void;
  readonly listMore: () => void;
  readonly breakGlass: (reason: string | undefined) => void;
  readonly preview: () => void;
  readonly ask: (question: Omit<Question, 'sending' | 'failed'>) => void;
  readonly confirm: () => void;
  readonly dismiss: () => void;
  readonly signOut: () => void;
  readonly focus: (id: string) => void;
}
