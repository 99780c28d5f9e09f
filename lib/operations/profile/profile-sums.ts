import { type Frame, type FrameUnit } from '../../etcd';
import { codePathsOf, type CodePathSum } from './code-paths';
import { type Profile, type ValueType } from './pprof';

/** Value of a function: on its own, and including its callees. */
export interface FunctionSum {
  readonly name: string;
  readonly own: number;
  readonly total: number;
}

/** Sums of a profile for one value type. */
export interface ProfileSums {
  readonly value: ValueType;
  readonly total: number;
  readonly paths: readonly CodePathSum[];
  /** Functions by own value, largest first. */
  readonly functions: readonly FunctionSum[];
}

/** Returns the index of a value type, by default the profile's default type; undefined if there is none. */
export function valueIndex({ values, defaultType }: Profile, type: string = defaultType): number | undefined {
  const index = values.findIndex((value) => value.type === type);
  return index < 0 ? undefined : index;
}

/** Sums a profile for one value type. */
export function sumProfile({ values, samples }: Profile, index: number): ProfileSums {
  const sums = new Map<string, { own: number; total: number }>();
  let total = 0;
  for (const { stack, values: counted } of samples) {
    const count = counted[index] ?? 0;
    total += count;
    stack.forEach((name, depth) => {
      const sum = sums.get(name) ?? { own: 0, total: 0 };
      sums.set(name, sum);
      if (depth === 0) sum.own += count;
      // Recursive functions count once.
      if (stack.indexOf(name) === depth) sum.total += count;
    });
  }
  const functions = [...sums]
    .map(([name, sum]) => ({ name, ...sum }))
    .filter((sum) => sum.total !== 0)
    .sort((a, b) => b.own - a.own || b.total - a.total || (a.name < b.name ? -1 : 1));
  return { value: values[index] ?? { type: '', unit: '' }, total, paths: codePathsOf(samples, index), functions };
}

/** Returns the frame unit of a value type. */
export const frameUnitOf = ({ unit }: ValueType): FrameUnit =>
  unit === 'bytes' || unit === 'nanoseconds' ? unit : 'count';

interface Node {
  value: number;
  before: number;
  readonly children: Map<string, Node>;
}
const node = (): Node => ({ value: 0, before: 0, children: new Map() });

/** Returns a profile as a flame graph, with the values of an earlier profile for comparison. */
export function profileFrames(profile: Profile, index: number, earlier?: Profile): Frame {
  const root = node();
  const add = (from: Profile, side: 'value' | 'before'): void => {
    for (const { stack, values } of from.samples) {
      const count = values[index] ?? 0;
      if (count === 0) continue;
      let current = root;
      current[side] += count;
      for (let depth = stack.length - 1; depth >= 0; depth--) {
        const name = stack[depth] as string;
        const next = current.children.get(name) ?? node();
        current.children.set(name, next);
        next[side] += count;
        current = next;
      }
    }
  };
  add(profile, 'value');
  if (earlier) add(earlier, 'before');
  return frameOf('all', root, earlier !== undefined);
}

/** Frame name of a function's own value, next to its callees. */
const ownName = '(itself)';

function frameOf(name: string, { value, before, children }: Node, isCompared: boolean): Frame {
  const frames = [...children].map(([child, childNode]) => frameOf(child, childNode, isCompared));
  const childrenTotal = frames.reduce((sum, { live }) => sum + live, 0);
  const childrenBefore = frames.reduce((sum, frame) => sum + (frame.before ?? 0), 0);
  const earlier = (count: number): { readonly before?: number } => (isCompared ? { before: count } : {});
  // A frame is as wide as its children, so the caller's own value is a child too.
  if (frames.length > 0 && (value > childrenTotal || before > childrenBefore))
    frames.push({
      name: ownName,
      live: value - childrenTotal,
      history: 0,
      ...earlier(before - childrenBefore),
      children: [],
    });
  frames.sort((a, b) => b.live - a.live || (a.name < b.name ? -1 : 1));
  return { name, live: value, history: 0, ...earlier(before), children: frames };
}
