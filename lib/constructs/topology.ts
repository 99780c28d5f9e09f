import { ApiObject, Chart } from 'cdk8s';
import { type IConstruct } from 'constructs';

/** Dependency of one construct on another; each represents all of its API objects in its chart. */
export interface Dependency {
  readonly source: IConstruct;
  readonly target: IConstruct;
  readonly sourceChart: Chart;
  readonly targetChart: Chart;
}

/**
 * Vertex that represents all of its members: if n objects depend on m others, n + m edges are enough instead of n * m.
 */
class Group {
  constructor(readonly members: readonly Vertex[]) {}
}
type Vertex = IConstruct | Group;

/** Returns the API objects below a construct that belong to a chart, in tree order. */
function objectsBelow(construct: IConstruct, chart: Chart): readonly ApiObject[] {
  const found: ApiObject[] = [];
  const visit = (candidate: IConstruct): void => {
    if (ApiObject.isApiObject(candidate)) found.push(candidate);
    for (const child of candidate.node.children) if (child === chart || !Chart.isChart(child)) visit(child);
  };
  visit(construct);
  return found;
}

/** Edges of a graph of constructs, computed on demand. */
class Graph {
  /** Constructs that others depend on. */
  readonly dependedOn = new Set<IConstruct>();
  private readonly bySource = new Map<IConstruct, Dependency[]>();
  private readonly objectsByConstruct = new Map<IConstruct, readonly ApiObject[]>();
  private readonly groups = new Map<IConstruct, Group>();
  private readonly inheritedBySource = new Map<IConstruct, Group>();
  /** Objects that are source and target of one dependency, and depend only on its other targets. */
  private readonly overlaps = new Map<Dependency, ApiObject>();

  constructor(dependencies: readonly Dependency[]) {
    for (const dependency of dependencies) this.add(dependency);
  }

  private add(dependency: Dependency): void {
    const { source, target, sourceChart, targetChart } = dependency;
    if (source === target) throw cycleError([source, target]);
    const list = this.bySource.get(source);
    if (list) list.push(dependency);
    else this.bySource.set(source, [dependency]);
    this.dependedOn.add(target);
    const sources = this.objects(source, sourceChart);
    const targets = this.objects(target, targetChart);
    const overlap = isWithin(source, target) ? sources : isWithin(target, source) ? targets : [];
    const [shared, another] = sourceChart === targetChart ? overlap : [];
    if (shared && another) throw cycleError([shared, another, shared]);
    if (shared) this.overlaps.set(dependency, shared);
    const [first, second] = sources;
    if (first) for (const object of targets) if (second || object !== first) this.dependedOn.add(object);
  }

  private objects(construct: IConstruct, chart: Chart): readonly ApiObject[] {
    let objects = this.objectsByConstruct.get(construct);
    if (!objects) this.objectsByConstruct.set(construct, (objects = objectsBelow(construct, chart)));
    return objects;
  }

  /** Returns the dependencies of a vertex, in output order. */
  next(vertex: Vertex): readonly Vertex[] {
    if (vertex instanceof Group) return vertex.members;
    const own: Vertex[] = (this.bySource.get(vertex) ?? []).map(({ target }) => target);
    if (!ApiObject.isApiObject(vertex)) return own;
    const inherited: Vertex[] = [];
    for (let scope: IConstruct | undefined = vertex; scope; scope = scope.node.scope) {
      const inheritedGroup = this.inheritedDependencies(scope, vertex);
      if (inheritedGroup) inherited.unshift(inheritedGroup);
      if (Chart.isChart(scope)) break;
    }
    return [...own, ...inherited];
  }

  private inheritedDependencies(source: IConstruct, object: ApiObject): Group | undefined {
    const dependencies = this.bySource.get(source);
    if (!dependencies) return undefined;
    if (dependencies.some((dependency) => this.overlaps.get(dependency) === object)) {
      return new Group(
        dependencies
          .flatMap(({ target, targetChart }) => this.objects(target, targetChart))
          .filter((other) => other !== object),
      );
    }
    let inheritedGroup = this.inheritedBySource.get(source);
    if (!inheritedGroup) {
      inheritedGroup = new Group(dependencies.map((dependency) => this.groupOf(dependency)));
      this.inheritedBySource.set(source, inheritedGroup);
    }
    return inheritedGroup;
  }

  private groupOf({ target, targetChart }: Dependency): Group {
    let group = this.groups.get(target);
    if (!group) this.groups.set(target, (group = new Group(this.objects(target, targetChart))));
    return group;
  }
}

/** Returns whether a construct equals another one or is below it. */
export const isWithin = (inner: IConstruct, outer: IConstruct): boolean => {
  for (let scope: IConstruct | undefined = inner; scope; scope = scope.node.scope) if (scope === outer) return true;
  return false;
};

/**
 * Sorts constructs as cdk8s does: in tree order, but each after its dependencies.
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
      const candidate = top.next[top.at++];
      if (candidate === undefined) {
        state.set(top.vertex, 'done');
        if (!(top.vertex instanceof Group)) order.push(top.vertex);
        path.pop();
      } else if (state.get(candidate) === 'open') {
        const cycle = path.slice(path.findIndex(({ vertex }) => vertex === candidate)).map(({ vertex }) => vertex);
        throw cycleError([...cycle, candidate]);
      } else if (!state.has(candidate)) enter(candidate);
    }
  };
  for (const construct of constructs) if (!graph.dependedOn.has(construct)) visit(construct);
  // The remaining constructs are part of a cycle or depend on one, which the visit reports.
  for (const construct of constructs) visit(construct);
  return order;
}

function cycleError(vertices: readonly Vertex[]): Error {
  const paths = vertices
    .filter((vertex): vertex is IConstruct => !(vertex instanceof Group))
    .map(({ node }) => node.path);
  return new Error(`Dependency cycle detected: ${paths.join(' => ')}`);
}
