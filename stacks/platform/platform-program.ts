import { Provider } from '@pulumi/kubernetes/provider';
import { StackReference, type Output } from '@pulumi/pulumi';
import { isPlainObject, type Problem } from '@pinion-platform/pinion/api';
import { safePlanPlatformStack, operatorFields } from '../plan';
import { PlatformStages } from './platform';

/** Settings of a platform stack. */
export interface PlatformSettings {
  /** Fully qualified name of the cluster stack. */
  readonly clusterStack: string;
  /** Value of `pinion:platform`. */
  readonly platform: unknown;
  /** Kubeconfig. @default - kubectl's default */
  readonly kubeconfig?: Output<string>;
  /** Context of the kubeconfig. @default - the current context */
  readonly context?: string;
}

/** Result of the platform program: outputs unless an error blocks it, and all problems. */
export interface PlatformProgram {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

const allowedFields: readonly string[] = operatorFields;

/** Installs the platform on the cluster of another stack. Creates nothing if there are errors. */
export async function platformProgram(settings: PlatformSettings): Promise<PlatformProgram> {
  const { clusterStack, platform } = settings;
  const reference = new StackReference(clusterStack);
  const details = await reference.getOutputDetails('platformInputs');
  const cluster: unknown = details.value;
  const input = isPlainObject(platform) ? platform : {};
  const problems = [...clusterProblems(clusterStack, cluster), ...ownedProblems(input)];
  if (!isPlainObject(cluster)) return { problems };
  const allowed = Object.fromEntries(Object.entries(input).filter(([field]) => allowedFields.includes(field)));
  const planned = safePlanPlatformStack({ ...cluster, ...allowed });
  problems.push(...planned.problems);
  if (!planned.stages || problems.length > planned.problems.length) return { problems };
  const { kubeconfig, context } = settings;
  const provider = new Provider('kubernetes', {
    enableServerSideApply: true,
    ...(kubeconfig && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  new PlatformStages(String(cluster['cluster']), planned.stages, { providers: { kubernetes: provider } });
  return { outputs: { stages: planned.stages.map(({ name }) => name) }, problems };
}

const clusterProblems = (stack: string, cluster: unknown): Problem[] =>
  isPlainObject(cluster)
    ? []
    : [
        {
          code: 'unknown-reference',
          path: ['clusterStack'],
          value: stack,
          reason: 'has no cluster outputs',
          remedy: 'run "pulumi up" on that stack first, or set clusterStack to another stack',
        },
      ];

const ownedProblems = (input: Readonly<Record<string, unknown>>): Problem[] =>
  Object.keys(input)
    .filter((field) => !allowedFields.includes(field))
    .map((field) => ({
      code: 'platform-owned',
      path: [field],
      value: input[field],
      reason: 'is set by the cluster stack',
      remedy: `remove it; the allowed fields are ${allowedFields.join(', ')}`,
    }));
