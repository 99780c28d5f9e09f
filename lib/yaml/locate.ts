import { load, type EventType, type Schema, type State } from 'js-yaml';
import { type FieldPath } from '../api';
import { RemarkedScalar, TaggedNode } from './document-schema';

interface LocationNode {
  start: number;
  end: number;
  kind: string;
  result: unknown;
  children: LocationNode[];
  members?: ReadonlyMap<string, Entry>;
  items?: readonly (LocationNode | undefined)[];
}

interface Entry {
  readonly at: LocationNode;
  readonly value: LocationNode | undefined;
}

/** Position of a node in a document's text, as an offset in UTF-16 units. */
export type Locator = (path: FieldPath) => number;

function skipBlank(text: string, from: number): number {
  const blank = /(?:\s|(?<=\s|^)#.*)*/y;
  blank.lastIndex = from;
  blank.exec(text);
  return blank.lastIndex < text.length ? blank.lastIndex : from;
}

/** Parses a document that is known to be well-formed again, with the positions of its nodes. */
function parseLocations(text: string, schema: Schema): LocationNode {
  const root: LocationNode = { start: 0, end: 0, kind: '', result: undefined, children: [] };
  const stack = [root];
  const listener = (event: EventType, state: State): void => {
    const { position, kind } = state;
    const result: unknown = state.result;
    if (event === 'open') {
      stack.push({ start: position, end: 0, kind: '', result: undefined, children: [] });
      return;
    }
    const node = stack.pop() as LocationNode;
    node.end = position;
    node.kind = kind;
    node.result = result;
    const [only] = node.children;
    // The parser first parses a mapping's potential first key as a separate node, then uses it as the node itself.
    if (node.children.length === 1 && only?.kind === kind && only.result === result) node.children = only.children;
    else if (kind === 'scalar') node.children = [];
    stack[stack.length - 1]?.children.push(node);
  };
  load(text, { schema, listener });
  return root.children[0] ?? root;
}

/** Returns the key that the reader creates from a key node. */
function keyText(result: unknown): string {
  if (result instanceof RemarkedScalar) return String(result.reading.value);
  return result instanceof TaggedNode ? '' : String(result);
}

function pairMembers(text: string, node: LocationNode): ReadonlyMap<string, Entry> {
  const members = new Map<string, Entry>();
  const opensPair = /[ \t]*:/y;
  let key: LocationNode | undefined;
  for (const child of node.children) {
    opensPair.lastIndex = child.end;
    const isValue = key !== undefined && !opensPair.test(text);
    if (key !== undefined) members.set(keyText(key.result), { at: key, value: isValue ? child : undefined });
    key = isValue ? undefined : child;
  }
  if (key !== undefined) members.set(keyText(key.result), { at: key, value: undefined });
  return members;
}

function alignItems(node: LocationNode): readonly (LocationNode | undefined)[] {
  if (!Array.isArray(node.result)) return [];
  let child = 0;
  return node.result.map((item: unknown) => {
    const itemNode = node.children[child];
    // The parser skips empty items.
    if (itemNode === undefined || !Object.is(itemNode.result, item)) return undefined;
    child++;
    return itemNode;
  });
}

function findStep(text: string, node: LocationNode, step: string | number): Entry | undefined {
  if (typeof step === 'string') return (node.members ??= pairMembers(text, node)).get(step);
  const itemNode = (node.items ??= alignItems(node))[step];
  return itemNode && { at: itemNode, value: itemNode };
}

/**
 * Returns a function that locates a path in a document: the key of a member, or the start of an item; for a missing
 * path (or one through an alias or a merge), the nearest ancestor. Parses the text again on the first call.
 */
export function makeLocator(text: string, schema: Schema): Locator {
  let root: LocationNode | undefined;
  return (path) => {
    root ??= parseLocations(text, schema);
    let node: LocationNode | undefined = root;
    let at = root;
    for (const step of path) {
      const entry: Entry | undefined = node && findStep(text, node, step);
      if (!entry) break;
      at = entry.at;
      node = entry.value;
    }
    return skipBlank(text, at.start);
  };
}
