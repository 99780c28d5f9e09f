/** Object sizes in bytes, from `exemplar_pod.yaml` of Kubernetes, KEP-589 and the Lease that a kubelet renews. */
export const objectBytes = {
  /** JSON of a pod without managedFields, as versions before 1.18 stored it. */
  podBefore118: 9_400,
  pod: 14_600,
  node: 20_000,
  lease: 867,
  /** 1.5 GB for 1,000,000 events (thresholds.md). */
  event: 1_500,
} as const;

/** Size of a pod revision in etcd relative to its JSON: 10 KB to 14.6 KB. */
export const storedShare = 10_000 / 14_600;

/** Live bytes of a custom resource per byte of its JSON, measured (k/k #142062). */
export const decodedCustomResource = 5.2;

/** Coefficients of the memory model, in live bytes without the garbage collector's overhead. */
export interface MemoryCoefficients {
  /** Idle server without nodes and pods. */
  readonly base: number;
  /** Per node: the object, its lease, and the connection and watches of its kubelet. */
  readonly perNode: number;
  /** Per byte of a pod's JSON: decoded, cached and being sent to watches. */
  readonly perPodByte: number;
}

/** Physically possible ranges of the coefficients. */
export const physicalRanges: {
  readonly [Name in keyof MemoryCoefficients]: { readonly min: number; readonly max: number; readonly reason: string };
} = {
  base: {
    min: 0.05e9,
    max: 1e9,
    reason: 'an idle server: 5 hollow nodes fit in 0.15 GB (case k); fits to a to c give 0.5 GB',
  },
  perNode: {
    min: 0.1e6,
    max: 9.3e6,
    reason: 'only the 20 KB object, decoded to 5.2 times its size; at most 70 GB for 7,500 nodes alone (case l)',
  },
  perPodByte: {
    min: 1,
    max: 15.6,
    reason:
      'one copy of the size of its JSON; at most three copies (current, in history, being sent) at the measured 5.2',
  },
};

/** Best fit to the measured cases; `npm run bench:capacity` refits and compares. */
export const memoryCoefficients: MemoryCoefficients = { base: 0.247e9, perNode: 0.1e6, perPodByte: 9.81 };

/** Minimum pods per node of the measured clusters: below it, the shares of nodes and pods cannot be separated. */
export const minMeasuredDensity = 12.5;

/** Contents of one server's watch cache and connections. */
export interface CachedLoad {
  readonly nodes: number;
  readonly pods: number;
  readonly podBytes: number;
  readonly customResources: readonly { readonly count: number; readonly bytes: number }[];
}

/** Returns the live bytes of one API server. Each server caches everything, so more servers do not reduce it. */
export function liveBytes(load: CachedLoad, coefficients: MemoryCoefficients = memoryCoefficients): number {
  const custom = load.customResources.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
  return (
    coefficients.base +
    coefficients.perNode * load.nodes +
    coefficients.perPodByte * load.podBytes * load.pods +
    decodedCustomResource * custom
  );
}

/** Returns the mean ratio of resident to live memory: the garbage collector runs when the heap has grown by GOGC percent. */
export const residentFactor = (goGcPercent: number): number => 1 + goGcPercent / 200;

/** Returns the ratio of resident to live memory just before the garbage collector runs. */
export const peakFactor = (goGcPercent: number): number => 1 + goGcPercent / 100;

/** Maximum events that the watch cache keeps per resource. */
export const maxHistoryEvents = 102_400;

/** Returns the length of the watch cache history in seconds, unless its size limits it. */
export const historySeconds = (requestTimeoutSeconds: number): number => Math.max(75, requestTimeoutSeconds + 15);
