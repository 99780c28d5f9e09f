import { type AnalyzedDatabase } from '../analysis/analyze';
import { type Frame, widthOf } from './frame';
import { type KeyColumns } from '../analysis/key-columns';
import { registryKey } from '../values/registry-key';

/** Objects below this share of the total share one frame. */
const minShare = 1 / 2000;

interface Node {
  readonly name: string;
  live: number;
  history: number;
  before: number;
  readonly children: Map<string, Node>;
}

const nodeOf = (name: string): Node => ({ name, live: 0, history: 0, before: 0, children: new Map() });

/** Builds frames of the key space: resource, namespace, object. */
export function buildFrames({ scan: { columns } }: AnalyzedDatabase): Frame {
  const builder = new FrameBuilder(totalOf(columns), false);
  addAll(builder, columns, () => 0);
  return builder.frame();
}

/** Builds frames of the key spaces of two files, for a comparison. */
export function buildDiffFrames(
  { scan: { columns: before } }: AnalyzedDatabase,
  { scan: { columns: after } }: AnalyzedDatabase,
): Frame {
  const builder = new FrameBuilder(Math.max(totalOf(before), totalOf(after)), true);
  addAll(builder, after, (key) => before.allBytes[find(before, key)] ?? 0);
  for (let key = 0; key < before.size; key++) {
    const bytes = before.keys.bytes(key);
    if (after.keys.find(bytes, 0, bytes.length) < 0)
      builder.add(before.keys.text(key), 0, 0, before.allBytes[key] as number);
  }
  return builder.frame();
}

const find = (columns: KeyColumns, key: Uint8Array): number => columns.keys.find(key, 0, key.length);

function addAll(builder: FrameBuilder, columns: KeyColumns, before: (key: Uint8Array) => number): void {
  for (let key = 0; key < columns.size; key++) {
    const live = columns.liveBytes[key] as number;
    const history = (columns.allBytes[key] as number) - live;
    builder.add(columns.keys.text(key), live, history, before(columns.keys.bytes(key)));
  }
}

function totalOf(columns: KeyColumns): number {
  let total = 0;
  for (let key = 0; key < columns.size; key++) total += columns.allBytes[key] as number;
  return total;
}

class FrameBuilder {
  private readonly root = nodeOf('all keys');

  constructor(
    private readonly total: number,
    private readonly isCompared: boolean,
  ) {}

  add(key: string, live: number, history: number, before: number): void {
    const { resource, namespace, name } = registryKey(key);
    const isSmall = Math.max(live + history, before) < this.total * minShare;
    const path = [resource, ...(namespace === '' ? [] : [namespace]), isSmall ? '(smaller objects)' : name];
    let node = this.root;
    for (const step of [undefined, ...path]) {
      if (step !== undefined) {
        let next = node.children.get(step);
        if (!next) {
          next = nodeOf(step);
          node.children.set(step, next);
        }
        node = next;
      }
      node.live += live;
      node.history += history;
      node.before += before;
    }
  }

  frame(): Frame {
    return this.toFrame(this.root);
  }

  private toFrame({ name, live, history, before, children }: Node): Frame {
    const frames = [...children.values()].map((child) => this.toFrame(child));
    frames.sort((a, b) => widthOf(b) - widthOf(a) || (a.name < b.name ? -1 : 1));
    return { name, live, history, ...(this.isCompared && { before }), children: frames };
  }
}
