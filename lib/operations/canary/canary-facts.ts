import { type WorkloadKind } from '../../api';
import { type CanaryDoorName, type CanaryStep } from './canary-steps';

/** A refusal, or no answer at all. */
export interface FailedCall {
  readonly of: 'api-server' | 'submission' | 'artifacts' | 'dns' | 'registrar';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly message: string;
}

/** A custom resource as it stands. */
export interface CustomFacts {
  readonly generation: number;
  readonly observedGeneration?: number;
  readonly cause?: { readonly owner: string; readonly reason: string; readonly message: string };
  readonly conditions: readonly string[];
  readonly isEnding: boolean;
  readonly finalizers: readonly string[];
}

/** A native object that Kubernetes' own controllers have to see. */
export interface NativeFacts {
  readonly kind: string;
  readonly name: string;
  /** Whether its controller has seen its newest form. */
  readonly isSeen: boolean;
  readonly isEnding: boolean;
  readonly conditions: readonly string[];
}

/** A pod as it stands. */
export interface CanaryPodFacts {
  readonly name: string;
  readonly node?: string;
  /** What the scheduler says: nothing where it has not looked. */
  readonly scheduling?: string;
  readonly isReady: boolean;
  readonly isEnding: boolean;
  /** Containers that wait or crash, with the reason. */
  readonly waiting: readonly { readonly container: string; readonly reason: string; readonly message: string }[];
  readonly hasBegun: boolean;
}

/** What is seen right after a step failed. */
export interface CanaryFacts {
  readonly kind: WorkloadKind;
  readonly door: CanaryDoorName;
  readonly step: CanaryStep;
  /** What was waited for in vain; undefined where a call failed. */
  readonly waitedFor?: string;
  readonly call?: FailedCall;
  readonly custom?: CustomFacts;
  readonly natives: readonly NativeFacts[];
  readonly pods: readonly CanaryPodFacts[];
  /** Warnings about its objects, the newest last. */
  readonly warnings: readonly { readonly reason: string; readonly message: string }[];
  /** Seconds since a leader showed itself, by its lease; undefined where there is no lease. */
  readonly leases: {
    readonly scheduler?: number;
    readonly controllerManager?: number;
    readonly controller?: number;
  };
  readonly nodes: { readonly all: number; readonly ready: number };
  readonly quota: {
    readonly wanted: Readonly<Record<string, string>>;
    /** Undefined where the namespace has none. */
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
  /** Milliseconds of a write, and of a read from the memory of the API server. */
  readonly writes?: { readonly stored: number; readonly cached: number };
}
