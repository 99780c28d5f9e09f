import { ApiObject, Chart } from 'cdk8s';
import { type IConstruct } from 'constructs';

/** Dependency of one construct on another; a construct stands for all of its API objects in its chart. */
export interface Dependency {
  readonly source: IConstruct;
  readonly target: IConstruct;
  readonly sourceChart: Chart;
  readonly targetChart: Chart;
}

/**
 * Vertex that stands for all of its members, so that n objects that depend on m others need n + m edges instead of n *
 * m.
 */
class Group {
  constructor(readonly members: readonly Vertex[]) {}
}
type Vertex = IConstruct | Group;

/** Returns the API objects below a construct that belong to a chart, in tree order. */
function objectsBelow(construct: IConstruct, chart: Chart): readonly ApiObject[] {
  const found: ApiObject[] = [];
  const visit = (next: IConstruct): void => {
    if (ApiObject.isApiObject(next)) found.push(next);
    for (const child of next.node.children) if (child === chart || !Chart.isChart(child)) visit(child);
  };
  visit(construct);
  return found;
}

/** Edges of a graph of constructs, computed on demand. */
class Graph {
  /** Vertices that others depend on. */
  readonly awaited = new Set<IConstruct>();
  private readonly bySource = new Map<IConstruct, Dependency[]>();
  private readonly below = new Map<IConstruct, readonly ApiObject[]>();
  private readonly groups = new Map<IConstruct, Group>();
  private readonly waits = new Map<IConstruct, Group>();
  /** Objects that are source and target of one dependency, and depend only on its other targets. */
  private readonly overlaps = new Map<Dependency, ApiObject>();

  constructor(dependencies: readonly Dependency[]) {
    for (const dependency of dependencies) this.add(dependency);
  }

  private add(dependency: Dependency): void {
    const { source, target, sourceChart, targetChart } = dependency;
    if (source === target) throw cycle([source, target]);
    const list = this.bySource.get(source);
    if (list) list.push(dependency);
    else this.bySource.set(source, [dependency]);
    this.awaited.add(target);
    const sources = this.objects(source, sourceChart);
    const targets = this.objects(target, targetChart);
    const overlap = isWithin(source, target) ? sources : isWithin(target, source) ? targets : [];
    const [shared, another] = sourceChart === targetChart ? overlap : [];
    if (shared && another) throw cycle([shared, another, shared]);
    if (shared) this.overlaps.set(dependency, shared);
    const [first, second] = sources;
    if (first) for (const one of targets) if (second || one !== first) this.awaited.add(one);
  }

  private objects(construct: IConstruct, chart: Chart): readonly ApiObject[] {
    let objects = this.below.get(construct);
    if (!objects) this.below.set(construct, (objects = objectsBelow(construct, chart)));
    return objects;
  }

  /** Returns the dependencies of a vertex, in output order. */
  next(vertex: Vertex): readonly Vertex[] {
    if (vertex instanceof Group) return vertex.members;
    const own: Vertex[] = (this.bySource.get(vertex) ?? []).map(({ target }) => target);
    if (!ApiObject.isApiObject(vertex)) return own;
    const inherited: Vertex[] = [];
    for (let scope: IConstruct | undefined = vertex; scope; scope = scope.node.scope) {
      const wait = this.waitOf(scope, vertex);
      if (wait) inherited.unshift(wait);
      if (Chart.isChart(scope)) break;
    }
    return [...own, ...inherited];
  }

  private waitOf(source: IConstruct, object: ApiObject): Group | undefined {
    const dependencies = this.bySource.get(source);
    if (!dependencies) return undefined;
    if (dependencies.some((dependency) => this.overlaps.get(dependency) === object)) {
      return new Group(
        dependencies
          .flatMap(({ target, targetChart }) => this.objects(target, targetChart))
          .filter((other) => other !== object),
      );
    }
    let wait = this.waits.get(source);
    if (!wait) {
      wait = new Group(dependencies.map((dependency) => this.groupOf(dependency)));
      this.waits.set(source, wait);
    }
    return wait;
  }

  private groupOf({ target, targetChart }: Dependency): Group {
    let group = this.groups.get(target);
    if (!group) this.groups.set(target, (group = new Group(this.objects(target, targetChart))));
    return group;
  }
}

/** Returns whether a construct is another one or below it. */
export const isWithin = (inner: IConstruct, outer: IConstruct): boolean => {
  for (let scope: IConstruct | undefined = inner; scope; scope = scope.node.scope) if (scope === outer) return true;
  return false;
};

/**
 * Sorts constructs like cdk8s: in tree order, but each after its dependencies.
 *
 * Runs in linear time. Throws on a circular dependency.
 */
export function inDependencyOrder(
  constructs: readonly IConstruct[],
  dependencies: readonly Dependency[],
): readonly IConstruct[] {
  if (dependencies.length === 0) return constructs;
  const graph = new Graph(dependencies);
  const state = new Map<Vertex, 'open' | 'done'>();
  const order: IConstruct[] = [];
  const visit = (start: Vertex): void => {
    if (state.has(start)) return;
    const path: { vertex: Vertex; next: readonly Vertex[]; at: number }[] = [];
    const enter = (vertex: Vertex): void => {
      state.set(vertex, 'open');
      path.push({ vertex, next: graph.next(vertex), at: 0 });
    };
    enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.next[top.at++];
      if (next === undefined) {
        state.set(top.vertex, 'done');
        if (!(top.vertex instanceof Group)) order.push(top.vertex);
        path.pop();
      } else if (state.get(next) === 'open') {
        const circle = path.slice(path.findIndex(({ vertex }) => vertex === next)).map(({ vertex }) => vertex);
        throw cycle([...circle, next]);
      } else if (!state.has(next)) enter(next);
    }
  };
  for (const construct of constructs) if (!graph.awaited.has(construct)) visit(construct);
  // The remaining constructs are part of a cycle or depend on one, which the visit reports.
  for (const construct of constructs) visit(construct);
  return order;
}

function cycle(vertices: readonly Vertex[]): Error {
  const paths = vertices
    .filter((vertex): vertex is IConstruct => !(vertex instanceof Group))
    .map(({ node }) => node.path);
  return new Error(`Dependency cycle detected: ${paths.join(' => ')}`);
}
