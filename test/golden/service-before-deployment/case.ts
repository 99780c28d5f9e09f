import { type Container, type PodTemplateSpec } from '@pinion-platform/pinion/api';
import { only, type GoldenCase } from '../golden-case';

const templateOf = (spec: { readonly template: PodTemplateSpec }): PodTemplateSpec => spec.template;

export default {
  title: 'hooks of a service run as Jobs that no selector of the service matches',
  needsController: true,
  expectations: {
    'each hook has a Job that is not repeated, and that ends with its sidecars': (objects) => {
      const jobs = objects.filter(({ kind }) => kind === 'Job');
      expect(jobs.map(({ metadata }) => metadata.labels?.['pinterest.com/hook'])).toEqual(['flags', 'schema']);
      for (const { spec } of jobs) {
        const { template } = spec as { template: PodTemplateSpec };
        expect(template.spec?.restartPolicy).toBe('Never');
        const others: readonly Container[] = template.spec?.initContainers ?? [];
        expect(others.find(({ name }) => name === 'database-proxy')?.restartPolicy).toBe('Always');
        expect(others.find(({ name }) => name === 'pinion-logs')?.restartPolicy).toBe('Always');
        expect(template.spec?.containers).toHaveLength(1);
      }
    },
    'no Service, Deployment, budget or policy of the service selects their pods': (objects) => {
      const deployment = only(objects, 'Deployment').spec as { template: PodTemplateSpec; selector: object };
      const { matchLabels } = deployment.selector as { matchLabels: Record<string, string> };
      expect(only(objects, 'Service').spec).toMatchObject({ selector: matchLabels });
      for (const { spec } of objects.filter(({ kind }) => kind === 'Job'))
        expect(templateOf(spec as never).metadata?.labels).not.toMatchObject(matchLabels);
    },
    'a hook has the security context, variables and mounts of the app': (objects) => {
      const app = (only(objects, 'Deployment').spec as { template: PodTemplateSpec }).template.spec?.containers[0];
      for (const { spec } of objects.filter(({ kind }) => kind === 'Job')) {
        const [hook] = templateOf(spec as never).spec?.containers ?? [];
        expect(hook?.securityContext).toEqual(app?.securityContext);
        expect(hook?.volumeMounts).toEqual(app?.volumeMounts);
        expect(hook?.env?.map(({ name }) => name).sort()).toEqual(app?.env?.map(({ name }) => name).sort());
        expect([hook?.ports, hook?.lifecycle, hook?.readinessProbe]).toEqual([undefined, undefined, undefined]);
      }
    },
  },
} satisfies GoldenCase;
