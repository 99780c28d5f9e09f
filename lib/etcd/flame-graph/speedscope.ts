import { type Frame } from './frame';
import { keySpace, type FrameUnit, type FlameSubject } from './subject';

/** Speedscope file: samples with weights. */
export interface SpeedscopeFile {
  readonly $schema: 'https://www.speedscope.app/file-format-schema.json';
  readonly name: string;
  readonly exporter: string;
  readonly activeProfileIndex: number;
  readonly shared: { readonly frames: readonly { readonly name: string }[] };
  readonly profiles: readonly SpeedscopeProfile[];
}

/** Speedscope profile. */
export interface SpeedscopeProfile {
  readonly type: 'sampled';
  readonly name: string;
  readonly unit: 'bytes' | 'nanoseconds' | 'none';
  readonly startValue: number;
  readonly endValue: number;
  /** Frames of each sample, outermost first. */
  readonly samples: readonly (readonly number[])[];
  readonly weights: readonly number[];
}

const measures: readonly (readonly [string, (frame: Frame) => number])[] = [
  ['all revisions', ({ live, history }) => live + history],
  ['live', ({ live }) => live],
  ['history', ({ history }) => history],
];

const totalOnly: typeof measures = [['all', ({ live }) => live]];
const units: Readonly<Record<FrameUnit, SpeedscopeProfile['unit']>> = {
  bytes: 'bytes',
  nanoseconds: 'nanoseconds',
  count: 'none',
};

/** Converts frames to a speedscope file; for the key space, there is one profile each for all revisions, live and history. */
export function speedscope(root: Frame, title: string, subject: FlameSubject = keySpace): SpeedscopeFile {
  const names = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, names.size);
    return names.size - 1;
  };
  const currentMeasures = subject.hasHistory ? measures : totalOnly;
  const all = root.before === undefined ? currentMeasures : [...currentMeasures, earlier];
  const unit = units[subject.unit];
  const profiles = all.map(([name, bytesOf]): SpeedscopeProfile => {
    const samples: number[][] = [];
    const weights: number[] = [];
    const visit = (frame: Frame, above: readonly number[]): void => {
      const stack = [...above, numberOf(frame.name)];
      for (const child of frame.children) visit(child, stack);
      if (frame.children.length > 0 || bytesOf(frame) === 0) return;
      samples.push(stack);
      weights.push(bytesOf(frame));
    };
    visit(root, []);
    const endValue = weights.reduce((sum, weight) => sum + weight, 0);
    return { type: 'sampled', name, unit, startValue: 0, endValue, samples, weights };
  });
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name: title,
    exporter: 'pinion',
    activeProfileIndex: 0,
    shared: { frames: [...names.keys()].map((name) => ({ name })) },
    profiles,
  };
}

const earlier: readonly [string, (frame: Frame) => number] = ['earlier file', ({ before = 0 }) => before];
