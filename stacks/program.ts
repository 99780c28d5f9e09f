import { Config, getOrganization, getProject, getStack, log, RunError } from '@pulumi/pulumi';
import { explainProblem, isError, type Problem } from 'pinion/api';
import { clusterProgram } from './cluster';
import { platformProgram } from './platform';

/** What a program comes to: outputs of its stack, or problems that stand in the way. */
interface Program {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/**
 * The program of both stacks: `cluster` or `cluster-…` makes a cluster, `platform` or `platform-…` puts the platform on
 * the one of the same ending. Throws a `RunError` with all that is wrong before anything is created.
 */
export async function run(): Promise<Readonly<Record<string, unknown>>> {
  const { outputs, problems } = await programOf(getStack());
  for (const problem of problems.filter((one) => !isError(one))) await log.warn(explainProblem(problem));
  if (!outputs) throw refusal(problems.filter(isError));
  return outputs;
}

/** Where it was thrown says nothing to anybody, and Node 20 takes 20 s and a gigabyte to colour frames of a scoped package. */
function refusal(problems: readonly Problem[]): RunError {
  const error = new RunError(problems.map(explainProblem).join('\n'));
  error.stack = '';
  return error;
}

async function programOf(stack: string): Promise<Program> {
  const [, part, ending = ''] = /^(cluster|platform)(-.+)?$/.exec(stack) ?? [];
  const config = new Config();
  if (part === 'cluster') {
    return clusterProgram(config.getObject('cluster'));
  }
  if (part === 'platform') {
    const kubeconfig = config.getSecret('kubeconfig');
    const context = config.get('context');
    return platformProgram({
      clusterStack: config.get('clusterStack') ?? `${getOrganization()}/${getProject()}/cluster${ending}`,
      platform: config.getObject('platform'),
      ...(kubeconfig && { kubeconfig }),
      ...(context !== undefined && { context }),
    });
  }
  const reason = 'says neither that it is a cluster nor that it is a platform';
  const remedy = 'name the stack "cluster" or "platform", with an ending such as "-prod" for each cluster';
  return { problems: [{ code: 'bad-format', path: ['stack'], value: stack, reason, remedy }] };
}
