/** Sizes in bytes that the model leans on; `exemplar_pod.yaml` of Kubernetes, KEP-589, and the Lease that a kubelet renews. */
export const objectBytes = {
  /** JSON of a pod without managedFields, as versions before 1.18 stored it. */
  podBefore118: 9_400,
  pod: 14_600,
  node: 20_000,
  lease: 867,
  /** 1.5 GB for 1,000,000 events (thresholds.md). */
  event: 1_500,
} as const;

/** What one revision of a pod takes in etcd against its JSON: 10 KB against 14.6 KB. */
export const storedShare = 10_000 / 14_600;

/** Live bytes of a custom resource for each byte of its JSON, measured (k/k #142062). */
export const decodedCustomResource = 5.2;

/** The coefficients of the memory model; live bytes, before the collector's share. */
export interface MemoryCoefficients {
  /** Of a server without nodes and pods. */
  readonly base: number;
  /** Of a node: the object, its lease and the connection and watches of its kubelet. */
  readonly perNode: number;
  /** Of each byte of a pod's JSON: decoded, cached and on its way to watchers. */
  readonly perPodByte: number;
}

/** What the coefficients can be at all. */
export const physicalRanges: {
  readonly [Name in keyof MemoryCoefficients]: { readonly min: number; readonly max: number; readonly why: string };
} = {
  base: {
    min: 0.05e9,
    max: 1e9,
    why: 'an idle server: 5 hollow nodes fit in 0.15 GB (case k); 0.5 GB in fits of a to c',
  },
  perNode: {
    min: 0.1e6,
    max: 9.3e6,
    why: 'a 20 KB object decoded 5.2 times, nothing else; and 70 GB for 7,500 nodes and nothing else (case l)',
  },
  perPodByte: {
    min: 1,
    max: 15.6,
    why: 'one copy as large as its JSON; and three copies (current, in history, on its way) at the measured 5.2',
  },
};

/** The coefficients that fit the measured cases best; `npm run bench:capacity` fits them anew and compares. */
export const memoryCoefficients: MemoryCoefficients = { base: 0.247e9, perNode: 0.1e6, perPodByte: 9.81 };

/** Fewest pods for each node among the measured clusters: below it nodes and pods were never told apart. */
export const minMeasuredDensity = 12.5;

/** What the watch cache and the connections of one server hold. */
export interface CachedLoad {
  readonly nodes: number;
  readonly pods: number;
  readonly podBytes: number;
  readonly customResources: readonly { readonly count: number; readonly bytes: number }[];
}

/** Live bytes of one API server: each server caches everything, so more servers do not lessen it. */
export function liveBytes(load: CachedLoad, coefficients: MemoryCoefficients = memoryCoefficients): number {
  const custom = load.customResources.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
  return (
    coefficients.base +
    coefficients.perNode * load.nodes +
    coefficients.perPodByte * load.podBytes * load.pods +
    decodedCustomResource * custom
  );
}

/** Resident against live memory in the mean: the collector runs when the heap has grown by GOGC percent. */
export const residentFactor = (goGcPercent: number): number => 1 + goGcPercent / 200;

/** The same just before the collector runs. */
export const peakFactor = (goGcPercent: number): number => 1 + goGcPercent / 100;

/** Most events that the watch cache keeps of one resource. */
export const maxHistoryEvents = 102_400;

/** Seconds that the watch cache keeps, as far as its size allows. */
export const historySeconds = (requestTimeoutSeconds: number): number => Math.max(75, requestTimeoutSeconds + 15);
