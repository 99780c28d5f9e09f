import { type Frame, type FrameUnit } from '../../etcd';
import { codePathsOf, type CodePathSum } from './code-paths';
import { type Profile, type ValueType } from './pprof';

/** What a function takes: by itself, and with all that it calls. */
export interface FunctionSum {
  readonly name: string;
  readonly own: number;
  readonly total: number;
}

/** A profile by one of its values. */
export interface ProfileSums {
  readonly value: ValueType;
  readonly total: number;
  readonly paths: readonly CodePathSum[];
  /** The largest by themselves first. */
  readonly functions: readonly FunctionSum[];
}

/** Number of the value that is asked for by its type, else of the usual one; undefined where there is no such. */
export function valueIndex({ values, usual }: Profile, type: string = usual): number | undefined {
  const index = values.findIndex((value) => value.type === type);
  return index < 0 ? undefined : index;
}

/** Sums a profile by one of its values. */
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
      // A function that calls itself counts once.
      if (stack.indexOf(name) === depth) sum.total += count;
    });
  }
  const functions = [...sums]
    .map(([name, sum]) => ({ name, ...sum }))
    .filter((sum) => sum.total !== 0)
    .sort((a, b) => b.own - a.own || b.total - a.total || (a.name < b.name ? -1 : 1));
  return { value: values[index] ?? { type: '', unit: '' }, total, paths: codePathsOf(samples, index), functions };
}

/** What the widths of a value count. */
export const frameUnitOf = ({ unit }: ValueType): FrameUnit =>
  unit === 'bytes' || unit === 'nanoseconds' ? unit : 'count';

interface Node {
  value: number;
  before: number;
  readonly children: Map<string, Node>;
}
const node = (): Node => ({ value: 0, before: 0, children: new Map() });

/** A profile as frames, callers around what they call; with an earlier one, what was there before. */
export function profileFrames(profile: Profile, index: number, earlier?: Profile): Frame {
  const root = node();
  const add = (from: Profile, side: 'value' | 'before'): void => {
    for (const { stack, values } of from.samples) {
      const count = values[index] ?? 0;
      if (count === 0) continue;
      let at = root;
      at[side] += count;
      for (let depth = stack.length - 1; depth >= 0; depth--) {
        const name = stack[depth] as string;
        const next = at.children.get(name) ?? node();
        at.children.set(name, next);
        next[side] += count;
        at = next;
      }
    }
  };
  add(profile, 'value');
  if (earlier) add(earlier, 'before');
  return frameOf('all', root, earlier !== undefined);
}

/** Name of what a function takes by itself, where it calls others too. */
const ownName = '(itself)';

function frameOf(name: string, { value, before, children }: Node, isCompared: boolean): Frame {
  const frames = [...children].map(([child, made]) => frameOf(child, made, isCompared));
  const below = frames.reduce((sum, { live }) => sum + live, 0);
  const belowBefore = frames.reduce((sum, frame) => sum + (frame.before ?? 0), 0);
  const earlier = (count: number): { readonly before?: number } => (isCompared ? { before: count } : {});
  // Frames are as wide as what is in them: what is the caller's own is one of those.
  if (frames.length > 0 && (value > below || before > belowBefore))
    frames.push({ name: ownName, live: value - below, history: 0, ...earlier(before - belowBefore), children: [] });
  frames.sort((a, b) => b.live - a.live || (a.name < b.name ? -1 : 1));
  return { name, live: value, history: 0, ...earlier(before), children: frames };
}
