/** Frame of a flame graph: in the key space a resource, namespace or object; in a profile a function. */
export interface Frame {
  readonly name: string;
  /** Value without history. */
  readonly live: number;
  /** Bytes of history; 0 for subjects without one. */
  readonly history: number;
  /** Value in the earlier file of a comparison. */
  readonly before?: number;
  readonly children: readonly Frame[];
}

/** Returns the width of a frame: its value in the larger file, or the sum of its children. */
export function widthOf({ live, history, before = 0, children }: Frame): number {
  if (children.length === 0) return Math.max(live + history, before);
  return children.reduce((sum, child) => sum + widthOf(child), 0);
}
