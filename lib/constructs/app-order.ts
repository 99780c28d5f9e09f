import { ApiObject, Chart } from 'cdk8s';
import { type IConstruct } from 'constructs';
import { inDependencyOrder, isWithin, type Dependency } from './topology';

/** Constructs of an app, traversed once. */
export interface AppTree {
  /** All constructs, parents before children. */
  readonly constructs: readonly IConstruct[];
  /** Charts with their constructs, without those of nested charts. */
  readonly charts: ReadonlyMap<Chart, readonly IConstruct[]>;
}

/** Charts of an app in apply order, with their objects. */
export interface AppOrder {
  readonly charts: readonly Chart[];
  /** Whether a chart depends on another one, in which case files are numbered. */
  readonly areChartsOrdered: boolean;
  objectsOf(chart: Chart): readonly ApiObject[];
}

/** Traverses the tree below an app. */
export function treeOf(app: IConstruct): AppTree {
  const constructs: IConstruct[] = [];
  const charts = new Map<Chart, IConstruct[]>();
  const visit = (construct: IConstruct, own: IConstruct[] | undefined): void => {
    constructs.push(construct);
    let list = own;
    if (Chart.isChart(construct)) charts.set(construct, (list = []));
    list?.push(construct);
    for (const child of construct.node.children) visit(child, list);
  };
  visit(app, undefined);
  return { constructs, charts };
}

/**
 * Returns the order of cdk8s' own synthesis: a chart after those that it contains or depends on, an object after those
 * it depends on.
 *
 * Throws on a circular dependency.
 */
export function orderOf({ constructs, charts }: AppTree): AppOrder {
  const { dependencies, areChartsOrdered } = dependenciesOf(constructs, charts.keys());
  const dependenciesWithin = new Map<Chart, Dependency[]>();
  // Charts that something in a nested chart depends on: nested constructs influence their order.
  const chartsDependedOnFromWithin = new Set<Chart>();
  for (const dependency of dependencies) {
    const { source, sourceChart, targetChart } = dependency;
    if (sourceChart !== targetChart && isWithin(source, targetChart)) chartsDependedOnFromWithin.add(targetChart);
    if (sourceChart !== targetChart) continue;
    const list = dependenciesWithin.get(sourceChart);
    if (list) list.push(dependency);
    else dependenciesWithin.set(sourceChart, [dependency]);
  }
  const sorted = (chart: Chart): readonly IConstruct[] => {
    if (!chartsDependedOnFromWithin.has(chart))
      return inDependencyOrder(charts.get(chart) ?? [], dependenciesWithin.get(chart) ?? []);
    const within = dependencies.filter(({ source, target }) => isWithin(source, chart) && isWithin(target, chart));
    const own = new Set(charts.get(chart));
    return inDependencyOrder(chart.node.findAll(), within).filter((construct) => own.has(construct));
  };
  return {
    charts: inDependencyOrder(integerPathsFirst(constructs), dependencies).filter((construct) =>
      Chart.isChart(construct),
    ),
    areChartsOrdered,
    objectsOf: (chart) => sorted(chart).filter((construct) => ApiObject.isApiObject(construct)),
  };
}

/** Returns explicit dependencies, and those between charts that result from them and from nested charts. */
function dependenciesOf(constructs: readonly IConstruct[], charts: Iterable<Chart>) {
  const targets = new Map<IConstruct, Set<IConstruct>>();
  const add = (source: IConstruct, target: IConstruct): void => {
    const set = targets.get(source);
    if (set) set.add(target);
    else targets.set(source, new Set([target]));
  };
  for (const construct of constructs) for (const target of construct.node.dependencies) add(construct, target);
  let areChartsOrdered = false;
  for (const chart of charts) {
    for (const child of chart.node.children) {
      if (!Chart.isChart(child)) continue;
      add(chart, child);
      areChartsOrdered = true;
    }
  }
  const all = (): Dependency[] =>
    constructs.flatMap((source) =>
      [...(targets.get(source) ?? [])].map((target) => ({
        source,
        target,
        sourceChart: Chart.of(source),
        targetChart: Chart.of(target),
      })),
    );
  for (const { sourceChart, targetChart } of all()) {
    if (sourceChart === targetChart) continue;
    add(sourceChart, targetChart);
    areChartsOrdered = true;
  }
  return { dependencies: all(), areChartsOrdered };
}

/** Sorts constructs as cdk8s does, which stores them by path: paths that are integers come first. */
function integerPathsFirst(constructs: readonly IConstruct[]): readonly IConstruct[] {
  const isNumber = ({ node }: IConstruct) => /^(0|[1-9]\d{0,8})$/.test(node.path);
  const numbers = constructs.filter(isNumber);
  if (numbers.length === 0) return constructs;
  return [...numbers, ...constructs.filter((construct) => !isNumber(construct))];
}
