import { type KubernetesObject } from '@pinion-platform/pinion';
import { only, type GoldenCase } from '../golden-case';

interface Deployment {
  readonly replicas?: number;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly containers: readonly {
        readonly image: string;
        readonly args?: readonly string[];
        readonly env: readonly { readonly name: string; readonly value?: string }[];
        readonly resources: unknown;
      }[];
    };
  };
}

const deployment = (objects: readonly KubernetesObject[], name: string): Deployment =>
  only(objects, 'Deployment', name).spec as Deployment;
const app = (objects: readonly KubernetesObject[], name: string) =>
  deployment(objects, name).template.spec.containers[0] as Deployment['template']['spec']['containers'][number];
const versionKey = 'app.kubernetes.io/version';

export default {
  title: 'three versions run side by side behind one Service',
  expectations: {
    'each variant is a Deployment with its own pods': (objects) => {
      const names = objects.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
      expect(names).toEqual(['reviews-v1', 'reviews-v2', 'reviews-v3']);
      for (const name of names) {
        const { selector, template } = deployment(objects, name);
        expect(selector.matchLabels['pinterest.com/variant']).toBe(name.slice('reviews-'.length));
        expect(template.metadata.labels).toMatchObject(selector.matchLabels);
      }
    },
    'one Service and one budget select the pods of all of them': (objects) => {
      const labels = { 'pinterest.com/kind': 'PinterestService', 'pinterest.com/workload': 'reviews' };
      expect(only(objects, 'Service').spec).toMatchObject({ selector: labels });
      // Seven pods at most; with a budget each, a drain could take one pod of every variant at once.
      expect(only(objects, 'PodDisruptionBudget').spec).toMatchObject({
        maxUnavailable: 1,
        selector: { matchLabels: labels },
      });
      expect(Object.keys((only(objects, 'Service').spec as { selector: object }).selector)).toHaveLength(2);
    },
    'a variant overrides the image, variables, arguments and resources of the template': (objects) => {
      expect(app(objects, 'reviews-v1').image).toBe('registry.example.com/bookinfo/reviews-v1:1.20.3');
      expect(app(objects, 'reviews-v2').image).toBe('registry.example.com/bookinfo/reviews-v2:1.20.3');
      const { args, env, resources } = app(objects, 'reviews-v3');
      expect(args).toEqual(['--stars']);
      expect(env).toEqual(
        expect.arrayContaining([
          { name: 'STAR_COLOR', value: 'red' },
          { name: 'LOG_DIR', value: '/tmp/red' },
        ]),
      );
      expect(resources).toMatchObject({ requests: { cpu: '100m', memory: '512Mi' }, limits: { memory: '1Gi' } });
    },
    'an autoscaler scales only its variant': (objects) => {
      expect(only(objects, 'HorizontalPodAutoscaler').spec).toMatchObject({
        scaleTargetRef: { kind: 'Deployment', name: 'reviews-v2' },
      });
      expect(deployment(objects, 'reviews-v2')).not.toHaveProperty('replicas');
      expect([deployment(objects, 'reviews-v1').replicas, deployment(objects, 'reviews-v3').replicas]).toEqual([2, 1]);
    },
    'the version of a variant is a label of its pods': (objects) =>
      expect(
        ['v1', 'v2', 'v3'].map((name) => deployment(objects, `reviews-${name}`).template.metadata.labels[versionKey]),
      ).toEqual(['1.20.3', '1.20.3', '1.20.3-red']),
  },
} satisfies GoldenCase;
