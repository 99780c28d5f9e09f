import { type HeapProfiler, type Profiler, type Runtime } from 'node:inspector';

/** A function of a stack. */
export interface StackFrame {
  /** Module and function name: `lib/kube/cache/store.ts:replace`. */
  readonly name: string;
  /** Module or script; empty for V8 internals. */
  readonly file: string;
  /** Line number from 1; 0 if there is none. */
  readonly line: number;
}

/** Sampled call stack. */
export interface SampledStack {
  /** Innermost first. */
  readonly stack: readonly StackFrame[];
  readonly counts: readonly number[];
}

/** Locates a function of V8. */
export type FrameLocator = (frame: Runtime.CallFrame) => StackFrame;

/** V8 frames that are not calls: the root of all calls, and an idle thread. */
const rootName = '(root)';
const idleName = '(idle)';

/**
 * Returns the stacks of a CPU profile with their numbers of samples and nanoseconds until the next sample. Idle time is
 * excluded.
 */
export function cpuStacks(
  { nodes, samples = [], timeDeltas = [], endTime, startTime }: Profiler.Profile,
  placeOf: FrameLocator,
) {
  const counts = new Map<number, [count: number, time: number]>();
  let at = startTime;
  samples.forEach((id, index) => {
    at += timeDeltas[index] ?? 0;
    const took = index + 1 < samples.length ? (timeDeltas[index + 1] ?? 0) : endTime - at;
    const count = counts.get(id) ?? [0, 0];
    counts.set(id, count);
    count[0]++;
    // V8 sometimes reports a sample slightly before the previous one.
    count[1] += Math.max(0, Math.round(took * 1000));
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const stacks: SampledStack[] = [];
  for (const [id, seen] of counts) {
    if (byId.get(id)?.callFrame.functionName === idleName) continue;
    const stack: StackFrame[] = [];
    for (let one: number | undefined = id; one !== undefined; one = callers.get(one)) {
      const place = places.get(one);
      if (place && place.name !== rootName) stack.push(place);
    }
    stacks.push({ stack, counts: seen });
  }
  return stacks;
}

/** Returns the stacks of a memory profile with the live bytes that each allocated. */
export function heapStacks({ head }: HeapProfiler.SamplingHeapProfile, placeOf: FrameLocator): SampledStack[] {
  const stacks: SampledStack[] = [];
  const visit = (node: HeapProfiler.SamplingHeapProfileNode, callers: readonly StackFrame[]): void => {
    const place = placeOf(node.callFrame);
    const stack = place.name === rootName ? callers : [place, ...callers];
    if (node.selfSize > 0) stacks.push({ stack, counts: [Math.round(node.selfSize)] });
    for (const child of node.children) visit(child, stack);
  };
  visit(head, []);
  return stacks;
}
