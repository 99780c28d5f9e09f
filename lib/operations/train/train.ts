import * as z from 'zod';
import { parseDuration, type Problem, schemaProblems } from '../../api';

const trainSchema = z.strictObject({
  /** Time in which a cluster must settle after a change; then the train stops. */
  deadline: z.string().default('1h'),
  /** Time for which a cluster may be unwell while it soaks, as during a deployment of a team. */
  tolerance: z.string().default('10m'),
  clusters: z
    .array(
      z.strictObject({
        /** Context of the kubeconfig. */
        context: z.string().min(1).max(253),
        /** Files and folders, from the folder of the train. */
        manifests: z.array(z.string().min(1)).min(1).max(64),
        /** Time for which a cluster must stay well before the next one is changed. */
        soak: z.string().default('30m'),
        /** Whether the canary must test the change. */
        canary: z.enum(['Required', 'Skip']).default('Required'),
      }),
    )
    .min(1)
    .max(100),
});

/** One cluster of a train. */
export interface TrainCluster {
  readonly context: string;
  readonly manifests: readonly string[];
  /** Milliseconds. */
  readonly soak: number;
  readonly canary: 'Required' | 'Skip';
}

/** Clusters in the order in which a change reaches them. */
export interface Train {
  /** Milliseconds. */
  readonly deadline: number;
  /** Milliseconds. */
  readonly tolerance: number;
  readonly clusters: readonly TrainCluster[];
}

/** Parses a train; `train` is present if there is no error. */
export function safeParseTrain(input: unknown): { readonly train?: Train; readonly problems: readonly Problem[] } {
  const parsed = trainSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(trainSchema, input, parsed.error.issues, []) };
  const { deadline, tolerance, clusters } = parsed.data;
  const problems = [
    ...durationProblems(deadline, ['deadline']),
    ...durationProblems(tolerance, ['tolerance']),
    ...clusters.flatMap(({ soak }, index) => durationProblems(soak, ['clusters', index, 'soak'])),
    ...duplicateProblems(clusters.map(({ context }) => context)),
  ];
  if (problems.length > 0) return { problems };
  return {
    train: {
      deadline: millisOf(deadline),
      tolerance: millisOf(tolerance),
      clusters: clusters.map((one) => ({ ...one, soak: millisOf(one.soak) })),
    },
    problems,
  };
}

const millisOf = (text: string): number => parseDuration(text)?.millis ?? 0;

const durationProblems = (value: string, path: Problem['path']): Problem[] =>
  parseDuration(value)
    ? []
    : [{ code: 'bad-format', path, value, reason: 'is not a duration', remedy: 'use a duration such as "30m"' }];

const duplicateProblems = (contexts: readonly string[]): Problem[] =>
  contexts.flatMap((value, index) =>
    contexts.indexOf(value) === index
      ? []
      : [
          {
            code: 'duplicate',
            path: ['clusters', index, 'context'],
            value,
            reason: 'is listed twice',
            remedy: 'list each cluster once',
          } as const,
        ],
  );
