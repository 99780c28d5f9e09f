import { createHash, randomUUID } from 'node:crypto';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns whether the command runs in CI, where it cannot prompt even with a terminal. */
export const isInCi = (environment: Environment): boolean =>
  !['', 'false', '0'].includes(environment['CI'] ?? '') || environment['JENKINS_URL'] !== undefined;

/**
 * Returns the idempotency key of a request: `given`, else in CI one per job attempt and request, else a random one. A
 * request that a job repeats therefore runs only once, and runs again if the job is started again.
 */
export function idempotencyKeyOf(given: string | undefined, request: object, environment: Environment): string {
  if (given !== undefined) return given;
  const run = runOf(environment);
  if (run === undefined) return randomUUID();
  return `ci-${createHash('sha256')
    .update(JSON.stringify([run, request]))
    .digest('hex')
    .slice(0, 40)}`;
}

/** Returns the identifiers of this attempt of a GitHub Actions, GitLab or Jenkins job. */
function runOf(environment: Environment): readonly string[] | undefined {
  const values = (...names: readonly string[]): readonly string[] | undefined => {
    const found = names.map((name) => environment[name] ?? '');
    return found.includes('') ? undefined : found;
  };
  if (environment['GITHUB_ACTIONS'] === 'true')
    return values('GITHUB_SERVER_URL', 'GITHUB_REPOSITORY', 'GITHUB_RUN_ID', 'GITHUB_RUN_ATTEMPT', 'GITHUB_JOB');
  if (environment['GITLAB_CI'] === 'true') return values('CI_SERVER_URL', 'CI_JOB_ID');
  if (environment['JENKINS_URL'] !== undefined) return values('BUILD_URL');
  return undefined;
}
