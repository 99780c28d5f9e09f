/**
 * Requests of a level, a project or an account, in the order of start-time fair queueing: of the flows below, the one that
 * received least is next. A flow that was idle starts level with the others, so that it neither saves nor owes anything.
 */
export class FlowNode<T> {
  readonly #flows = new Map<string, FlowNode<T>>();
  readonly #queue: T[] = [];
  /** What it received, compared with the other flows beside it. */
  #received = 0;
  /** What the flow that was last served below had received before. */
  #virtualTime = 0;
  #waiting = 0;
  #served = 0;

  /** Number of requests that wait here and below. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Request that is next; undefined if none waits. */
  get first(): T | undefined {
    return this.#queue[0] ?? this.#next()?.first;
  }

  /** Adds a request at a path of flows; the returned function removes it, and returns whether it was still waiting. */
  add(path: readonly string[], request: T): () => boolean {
    const nodes = this.#nodesOf(path);
    const leaf = nodes.at(-1) as FlowNode<T>;
    leaf.#queue.push(request);
    for (const [index, node] of nodes.entries()) {
      const above = nodes[index - 1];
      if (above && node.#waiting === 0) node.#received = Math.max(node.#received, above.#virtualTime);
      node.#waiting += 1;
    }
    return () => {
      const index = leaf.#queue.indexOf(request);
      if (index < 0) return false;
      leaf.#queue.splice(index, 1);
      for (const node of nodes) node.#waiting -= 1;
      this.#forgetIdle(path);
      return true;
    };
  }

  /** Removes the request that is next, which is served from then on, until `release` is called with its path. */
  shift(cost: number): void {
    this.#waiting -= 1;
    this.#served += 1;
    const next = this.#next();
    if (!next) {
      this.#queue.shift();
      return;
    }
    this.#virtualTime = next.#received;
    next.#received += cost;
    next.shift(cost);
  }

  /** Notes that a request of a path is no longer served. */
  release(path: readonly string[]): void {
    for (const node of this.#nodesOf(path)) node.#served -= 1;
    this.#forgetIdle(path);
  }

  /** Returns this node and those of a path below it; creates those that are missing. */
  #nodesOf([name, ...rest]: readonly string[]): FlowNode<T>[] {
    if (name === undefined) return [this];
    let flow = this.#flows.get(name);
    if (!flow) {
      flow = new FlowNode<T>();
      this.#flows.set(name, flow);
    }
    return [this, ...flow.#nodesOf(rest)];
  }

  #next(): FlowNode<T> | undefined {
    let next: FlowNode<T> | undefined;
    for (const flow of this.#flows.values())
      if (flow.#waiting > 0 && (!next || flow.#received < next.#received)) next = flow;
    return next;
  }

  #forgetIdle([name, ...rest]: readonly string[]): void {
    const flow = name === undefined ? undefined : this.#flows.get(name);
    if (name === undefined || !flow) return;
    flow.#forgetIdle(rest);
    if (flow.#waiting === 0 && flow.#served === 0) this.#flows.delete(name);
  }
}
