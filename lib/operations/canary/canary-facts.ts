import { type WorkloadKind } from '../../api';
import { type CanaryDeploymentPath, type CanaryStep } from './canary-steps';

/** Failed request. */
export interface FailedCall {
  readonly service: 'api-server' | 'submission' | 'artifacts' | 'dns' | 'registrar';
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly message: string;
}

/** State of a custom resource. */
export interface CustomFacts {
  readonly generation: number;
  readonly observedGeneration?: number;
  readonly cause?: { readonly owner: string; readonly reason: string; readonly message: string };
  readonly conditions: readonly string[];
  readonly isTerminating: boolean;
  readonly finalizers: readonly string[];
}

/** State of a native object that a Kubernetes controller reconciles. */
export interface NativeFacts {
  readonly kind: string;
  readonly name: string;
  /** Whether its controller observed the latest generation. */
  readonly isObserved: boolean;
  readonly isTerminating: boolean;
  readonly conditions: readonly string[];
}

/** State of a pod. */
export interface CanaryPodFacts {
  readonly name: string;
  readonly node?: string;
  /** Message of the scheduler; undefined if it has not processed the pod. */
  readonly scheduling?: string;
  readonly isReady: boolean;
  readonly isTerminating: boolean;
  /** Waiting or crashing containers. */
  readonly waiting: readonly { readonly container: string; readonly reason: string; readonly message: string }[];
  readonly hasStarted: boolean;
}

/** Cluster state right after a failed step. */
export interface CanaryFacts {
  readonly kind: WorkloadKind;
  readonly deploymentPath: CanaryDeploymentPath;
  readonly step: CanaryStep;
  /** Condition that timed out; undefined if a request failed. */
  readonly waitedFor?: string;
  readonly call?: FailedCall;
  readonly custom?: CustomFacts;
  readonly natives: readonly NativeFacts[];
  readonly pods: readonly CanaryPodFacts[];
  /** Warning events of its objects, newest last. */
  readonly warnings: readonly { readonly reason: string; readonly message: string }[];
  /** Seconds since each leader renewed its lease; undefined without a lease. */
  readonly leases: {
    readonly scheduler?: number;
    readonly controllerManager?: number;
    readonly controller?: number;
  };
  readonly nodes: { readonly all: number; readonly ready: number };
  readonly quota: {
    readonly desired: Readonly<Record<string, string>>;
    /** Undefined if the namespace has no quota. */
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
  /** Latency in milliseconds of a write and of a read from the API server's watch cache. */
  readonly writes?: { readonly stored: number; readonly cached: number };
}
