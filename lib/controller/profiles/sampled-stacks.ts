import { type HeapProfiler, type Profiler, type Runtime } from 'node:inspector';

/** Function in a call stack. */
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

/** Converts a V8 call frame to a stack frame. */
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
  locate: FrameLocator,
) {
  const counts = new Map<number, [count: number, time: number]>();
  let time = startTime;
  samples.forEach((id, index) => {
    time += timeDeltas[index] ?? 0;
    const duration = index + 1 < samples.length ? (timeDeltas[index + 1] ?? 0) : endTime - time;
    const count = counts.get(id) ?? [0, 0];
    counts.set(id, count);
    count[0]++;
    // V8 sometimes reports a sample slightly before the previous one.
    count[1] += Math.max(0, Math.round(duration * 1000));
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, locate(callFrame)]));
  const stacks: SampledStack[] = [];
  for (const [id, values] of counts) {
    if (byId.get(id)?.callFrame.functionName === idleName) continue;
    const stack: StackFrame[] = [];
    for (let nodeId: number | undefined = id; nodeId !== undefined; nodeId = callers.get(nodeId)) {
      const frame = frames.get(nodeId);
      if (frame && frame.name !== rootName) stack.push(frame);
    }
    stacks.push({ stack, counts: values });
  }
  return stacks;
}

/** Returns the stacks of a memory profile with the live bytes that each allocated. */
export function heapStacks({ head }: HeapProfiler.SamplingHeapProfile, locate: FrameLocator): SampledStack[] {
  const stacks: SampledStack[] = [];
  const visit = (node: HeapProfiler.SamplingHeapProfileNode, callers: readonly StackFrame[]): void => {
    const frame = locate(node.callFrame);
    const stack = frame.name === rootName ? callers : [frame, ...callers];
    if (node.selfSize > 0) stacks.push({ stack, counts: [Math.round(node.selfSize)] });
    for (const child of node.children) visit(child, stack);
  };
  visit(head, []);
  return stacks;
}
