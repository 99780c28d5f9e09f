/** One stretch of what a picture shows: of the key space all keys, a resource, a namespace, an object; of a profile a function. */
export interface Frame {
  readonly name: string;
  /** How much it is, less what only history holds. */
  readonly live: number;
  /** Bytes that only history holds; 0 where that means nothing. */
  readonly history: number;
  /** How much it was in the earlier of two files, where two are compared. */
  readonly before?: number;
  readonly children: readonly Frame[];
}

/** How wide a frame is: what it is, in the larger of two files. A frame with others in it is as wide as they are. */
export function widthOf({ live, history, before = 0, children }: Frame): number {
  if (children.length === 0) return Math.max(live + history, before);
  return children.reduce((sum, child) => sum + widthOf(child), 0);
}
