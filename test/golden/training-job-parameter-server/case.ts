import { type KubernetesObject } from '@pinion-platform/pinion';
import { only, type GoldenCase } from '../golden-case';

const jobs = (objects: readonly KubernetesObject[]) => objects.filter(({ kind }) => kind === 'Job');

export default {
  title: 'a TensorFlow job with parameter servers has one Job per role',
  needsController: true,
  expectations: {
    'each role is an Indexed Job': (objects) =>
      expect(jobs(objects).map(({ metadata }) => metadata.name)).toEqual([
        'embeddings-chief',
        'embeddings-evaluator',
        'embeddings-ps',
        'embeddings-worker',
      ]),
    'the evaluator gets a cluster without itself': (objects) => {
      const [container] = (only(objects, 'Job', 'embeddings-evaluator').spec as JobSpec).template.spec.containers;
      const config = container?.env.find(({ name }) => name === 'TF_CONFIG')?.value;
      expect(config).toContain('"task":{"type":"evaluator","index":$(PINION_TASK_INDEX)}');
      expect(config).not.toContain('"evaluator":');
    },
    'parameter servers and the evaluator have no accelerators': (objects) =>
      expect(
        jobs(objects).filter((job) => JSON.stringify(job).includes('nvidia.com/gpu":"1"')).map(({ metadata }) => metadata.name),
      ).toEqual(['embeddings-chief', 'embeddings-worker']),
  },
} satisfies GoldenCase;

interface JobSpec {
  readonly template: {
    readonly spec: { readonly containers: readonly { readonly env: readonly { name: string; value?: string }[] }[] };
  };
}
