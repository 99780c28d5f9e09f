import { Provider } from '@pulumi/kubernetes/provider';
import { StackReference, type Output } from '@pulumi/pulumi';
import { isPlainObject, type Problem } from 'pinion/api';
import { examinePlatformStack, personalFacts } from '../plan';
import { Platform } from './platform';

/** What a person says of a platform, and where its cluster is. */
export interface PlatformSettings {
  /** Stack that made the cluster, with its organization and project. */
  readonly clusterStack: string;
  /** Facts of the platform that do not follow from the cluster. */
  readonly platform: unknown;
  /** How the API is reached. @default - the file that kubectl reads too */
  readonly kubeconfig?: Output<string>;
  /** Which of the contexts of that. @default - the one that kubectl takes too */
  readonly context?: string;
}

/** What the program of the stack `platform` comes to. */
export interface PlatformProgram {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

const personal: readonly string[] = personalFacts;

/** Puts the platform on the cluster of another stack; nothing is made where something stands in the way. */
export async function platformProgram(settings: PlatformSettings): Promise<PlatformProgram> {
  const { clusterStack, platform } = settings;
  const reference = new StackReference(clusterStack);
  const { value: cluster } = await reference.getOutputDetails('platformFacts');
  const given = isPlainObject(platform) ? platform : {};
  const problems = [...clusterProblems(clusterStack, cluster), ...ownedProblems(given)];
  if (!isPlainObject(cluster)) return { problems };
  const own = Object.fromEntries(Object.entries(given).filter(([field]) => personal.includes(field)));
  const examined = examinePlatformStack({ ...cluster, ...own });
  problems.push(...examined.problems);
  if (!examined.stages || problems.length > examined.problems.length) return { problems };
  const { kubeconfig, context } = settings;
  const provider = new Provider('kubernetes', {
    enableServerSideApply: true,
    ...(kubeconfig && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  new Platform(String(cluster['cluster']), examined.stages, { providers: { kubernetes: provider } });
  return { outputs: { stages: examined.stages.map(({ name }) => name) }, problems };
}

const clusterProblems = (stack: string, cluster: unknown): Problem[] =>
  isPlainObject(cluster)
    ? []
    : [
        {
          code: 'unknown-reference',
          path: ['clusterStack'],
          value: stack,
          reason: 'is no stack that has made a cluster yet',
          remedy: 'run "pulumi up" there first, or name the stack that did',
        },
      ];

const ownedProblems = (given: Readonly<Record<string, unknown>>): Problem[] =>
  Object.keys(given)
    .filter((field) => !personal.includes(field))
    .map((field) => ({
      code: 'platform-owned',
      path: [field],
      value: given[field],
      reason: 'is not said of a platform: what its cluster decides is read from there',
      remedy: `leave it out; what is said here is ${personal.join(', ')}`,
    }));
