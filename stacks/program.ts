import { Config, getOrganization, getProject, getStack, log, RunError } from '@pulumi/pulumi';
import { explainProblem, isError, type Problem } from '@pinion-platform/pinion/api';
import { clusterProgram } from './cluster';
import { platformProgram } from './platform';

/** Result of a program: outputs of its stack, or problems that block it. */
interface Program {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/**
 * Runs the program of the selected stack: `cluster` or `cluster-…` creates a cluster, `platform` or `platform-…` installs
 * the platform on the cluster with the same suffix. Throws a `RunError` with all problems before it creates anything.
 */
export async function run(): Promise<Readonly<Record<string, unknown>>> {
  const { outputs, problems } = await programOf(getStack());
  for (const problem of problems.filter((one) => !isError(one))) await log.warn(explainProblem(problem));
  if (!outputs) throw runError(problems.filter(isError));
  return outputs;
}

/** Returns the error without a stack trace: it does not help the user, and Node 20 takes 20 s and 1 GB to color stack frames of a scoped package. */
function runError(problems: readonly Problem[]): RunError {
  const error = new RunError(problems.map(explainProblem).join('\n'));
  error.stack = '';
  return error;
}

async function programOf(stack: string): Promise<Program> {
  const [, part, suffix = ''] = /^(cluster|platform)(-.+)?$/.exec(stack) ?? [];
  const config = new Config();
  if (part === 'cluster') {
    return clusterProgram(config.getObject('cluster'));
  }
  if (part === 'platform') {
    const kubeconfig = config.getSecret('kubeconfig');
    const context = config.get('context');
    return platformProgram({
      clusterStack: config.get('clusterStack') ?? `${getOrganization()}/${getProject()}/cluster${suffix}`,
      platform: config.getObject('platform'),
      ...(kubeconfig && { kubeconfig }),
      ...(context !== undefined && { context }),
    });
  }
  const reason = 'is neither a cluster nor a platform stack';
  const remedy = 'name the stack "cluster" or "platform", with a suffix such as "-prod" for each cluster';
  return { problems: [{ code: 'bad-format', path: ['stack'], value: stack, reason, remedy }] };
}
