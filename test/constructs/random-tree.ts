import { ApiObject, type App, Chart, JsonPatch, Lazy, type AppProps } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import * as kplus from 'cdk8s-plus-27';
import * as fc from 'fast-check';
import { PinterestService } from '@pinion-platform/pinion';

/** Content of a random app: constructs by the index of their parent, and their dependencies. */
export interface TreePlan {
  readonly constructs: readonly {
    readonly parent: number;
    readonly kind: 'chart' | 'group' | 'object' | 'lazy' | 'patched' | 'deployment' | 'service';
    readonly labels: boolean;
  }[];
  readonly dependencies: readonly (readonly [number, number])[];
  readonly numbered: boolean;
}

/** Random plans; the first construct is always a chart. */
export const treePlan = (): fc.Arbitrary<TreePlan> =>
  fc.record({
    constructs: fc.array(
      fc.record({
        parent: fc.nat(1000),
        kind: fc.constantFrom(
          'chart',
          'group',
          'object',
          'object',
          'object',
          'lazy',
          'patched',
          'deployment',
          'service',
        ),
        labels: fc.boolean(),
      }),
      { minLength: 1, maxLength: 16 },
    ),
    dependencies: fc.array(fc.tuple(fc.nat(1000), fc.nat(1000)), { maxLength: 10 }),
    numbered: fc.boolean(),
  });

/** Builds the same tree in any type of app. No construct depends on itself, because stock synthesis silently drops such constructs and PlatformApp rejects them. */
export function build<A extends App>(plan: TreePlan, make: (props: AppProps) => A, props: AppProps): A {
  const app = make(props);
  const parents: Construct[] = [];
  const constructs: IConstruct[] = [];
  plan.constructs.forEach(({ parent, kind, labels }, index) => {
    const parentConstruct = parents.length === 0 ? undefined : parents[parent % (parents.length + 1)];
    const id = plan.numbered && index % 2 === 0 ? String(100 - index) : `c${index}`;
    if (kind === 'chart' || parentConstruct === undefined) {
      const chart = new Chart(parentConstruct ?? app, id, labels ? { labels: { chart: id }, namespace: 'shop' } : {});
      parents.push(chart);
      constructs.push(chart);
      return;
    }
    constructs.push(leaf(parentConstruct, id, kind, index, parents));
  });
  for (const [from, to] of plan.dependencies) {
    const [source, target] = [constructs[from % constructs.length], constructs[to % constructs.length]];
    if (source && target && source !== target) source.node.addDependency(target);
  }
  return app;
}

function leaf(parentConstruct: Construct, id: string, kind: string, index: number, parents: Construct[]): IConstruct {
  switch (kind) {
    case 'group': {
      const group = new Construct(parentConstruct, id);
      parents.push(group);
      return group;
    }
    case 'lazy':
      return new ApiObject(parentConstruct, id, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        data: { n: Lazy.any({ produce: () => `${index}` }), none: undefined },
        list: [1, null, { resolve: () => 'token' }],
      });
    case 'patched': {
      const object = new ApiObject(parentConstruct, id, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        data: { odd: '1_000', yes: 'yes' },
      });
      object.addJsonPatch(JsonPatch.add('/data/patched', `line one\nline two ${index}\n`));
      return object;
    }
    case 'deployment':
      return new kplus.Deployment(parentConstruct, id, {
        replicas: index,
        containers: [{ image: `app:${index}`, portNumber: 8080 }],
      });
    case 'service':
      return new PinterestService(parentConstruct, id, {
        name: `s${index}`,
        project: 'shop',
        loadBalancer: { port: 80 },
        template: { spec: { containers: [{ name: 'app', image: 'app:1', ports: [{ containerPort: 80 }] }] } },
      });
    default:
      return new ApiObject(parentConstruct, id, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { annotations: { a: 'b' } },
        data: { index: `${index}` },
      });
  }
}
