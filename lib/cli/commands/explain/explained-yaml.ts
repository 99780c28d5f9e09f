import { formatPath, type FieldPath } from '../../../api';
import { type ExplainedObject, type Origin } from '../../../expand';
import { writeYaml } from '../../../yaml';
import { originText, type SourceLocator } from './origin-text';

/** Column of the comments, unless a line is longer. */
const commentColumn = 56;

interface Line {
  readonly text: string;
  /** Origin of the value that starts on this line, if all of it has the same origin. */
  readonly origin?: Origin | undefined;
  /** Path of a block of the manifest that starts here unchanged. */
  readonly block?: FieldPath | undefined;
}

/** Formats a comment, dimmed on a terminal. */
export type Dim = (comment: string) => string;

/**
 * Returns an object as YAML, with comments that show the origin of each field.
 *
 * A line without a comment has the origin of the comment above it; an unchanged block of the manifest has one comment.
 */
export function explainedYaml(explained: ExplainedObject, locator: SourceLocator, dim: Dim): string {
  const origins = new Map(explained.leaves.map(({ path, origins }) => [formatPath(path), origins[0] as Origin]));
  const lines = new AnnotatedLines(origins).lines(explained.object, [], 0);
  let last = '';
  let covered: FieldPath | undefined;
  return lines
    .map(({ text, origin, block }) => {
      if (!origin || (origin.by === 'user' && covered && isBelow(origin.path, covered))) return `${text}\n`;
      covered = block;
      const comment = `# ← ${originText(origin, locator)}`;
      if (comment === last) return `${text}\n`;
      last = comment;
      return `${text.padEnd(commentColumn)} ${dim(comment)}\n`;
    })
    .join('');
}

const isBelow = (path: FieldPath | undefined, parent: FieldPath): boolean =>
  path !== undefined && parent.every((step, index) => path[index] === step);

/** Formats values as YAML lines with their origins. */
class AnnotatedLines {
  constructor(private readonly origins: ReadonlyMap<string, Origin>) {}

  lines(value: unknown, path: FieldPath, indent: number): Line[] {
    const lines: Line[] = [];
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) lines.push(...this.item(item, [...path, index], indent));
    } else {
      for (const [key, member] of Object.entries(value as object))
        if (member !== undefined) lines.push(...this.member(key, member, [...path, key], indent));
    }
    return lines;
  }

  private member(key: string, value: unknown, path: FieldPath, indent: number): Line[] {
    const space = ' '.repeat(indent);
    if (isLeaf(value)) return this.leaf(writeYaml({ [key]: value }), path, space);
    const text = `${space}${writeYaml({ [key]: null }).slice(0, -' null\n'.length)}`;
    return [
      { text, ...this.unchangedBlock(path) },
      ...this.lines(value, path, Array.isArray(value) ? indent : indent + 2),
    ];
  }

  private item(value: unknown, path: FieldPath, indent: number): Line[] {
    const space = ' '.repeat(indent);
    if (isLeaf(value)) return this.leaf(writeYaml([value]), path, space);
    const [first, ...rest] = this.lines(value, path, indent + 2);
    const text = `${space}- ${(first?.text ?? '').slice(indent + 2)}`;
    return [{ ...first, text, ...this.unchangedBlock(path) }, ...rest];
  }

  private leaf(yaml: string, path: FieldPath, space: string): Line[] {
    const [first, ...rest] = yaml.replace(/\n$/, '').split('\n');
    const origin = this.origins.get(formatPath(path)) ?? { by: 'kind' as const };
    return [
      { text: space + (first ?? ''), origin },
      ...rest.map((text) => ({ text: text === '' ? '' : space + text })),
    ];
  }

  /** Returns the block of the manifest that is unchanged here; undefined for anything else. */
  private unchangedBlock(path: FieldPath): Pick<Line, 'origin' | 'block'> | undefined {
    const start = formatPath(path);
    let block: FieldPath | undefined;
    for (const [leafPath, origin] of this.origins) {
      if (leafPath !== start && !leafPath.startsWith(`${start}.`) && !leafPath.startsWith(`${start}[`)) continue;
      const tail = leafPath.slice(start.length);
      const written = origin.by === 'user' && origin.path ? origin.path : undefined;
      const parent = written && withoutTail(written, tail);
      if (!parent || (block && formatPath(block) !== formatPath(parent))) return undefined;
      block = parent;
    }
    return block && { origin: { by: 'user', path: block }, block };
  }
}

/** Returns the path without its end if that end has the text `tail`; undefined otherwise. */
function withoutTail(path: FieldPath, tail: string): FieldPath | undefined {
  for (let length = path.length - 1; length >= 1; length--) {
    const parent = path.slice(0, length);
    if (formatPath(parent) + tail === formatPath(path)) return parent;
  }
  return undefined;
}

function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
