import { type LiveObject } from '../kube';
import { type ClusterFacts } from './cluster-facts';
import { type GangClaims } from './conduct/gang-claims';
import { type Hands } from './hands';
import { type Expansions } from './pass-expansion';
import { type Passes } from './passes';
import { type Stores } from './observed/stores';
import { workKey, type WorkKey } from './work-key';

/** What a reconcile pass looks at and acts with. */
export interface Surroundings {
  readonly stores: Stores;
  readonly facts: ClusterFacts;
  readonly hands: Hands;
  readonly passes: Passes;
  readonly gangs: GangClaims;
  readonly expansions: Expansions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** When to look at a document again although nothing changed. */
export interface Next {
  /** Milliseconds from now. */
  readonly again?: number;
  /** Something was refused: again with back-off. */
  readonly retry?: boolean;
}

/** The key of a document as it lives. */
export const keyOfDocument = ({ kind, metadata }: LiveObject): WorkKey =>
  workKey(kind, metadata.namespace, metadata.name);
