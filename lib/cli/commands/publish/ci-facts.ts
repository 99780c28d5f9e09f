import { type Provenance } from '../../../artifact';

/** Metadata of a CI run, from its environment variables. */
export type CiFacts = {
  readonly [Fact in 'issuer' | 'repository' | 'ref' | 'commit' | 'review' | 'run']?: Provenance[Fact];
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the metadata of a CI run in GitHub Actions, GitLab or Jenkins; empty elsewhere. */
export function ciFacts(environment: Environment): CiFacts {
  const readVariables =
    environment['GITHUB_ACTIONS'] === 'true'
      ? fromGitHub
      : environment['GITLAB_CI'] === 'true'
        ? fromGitLab
        : environment['JENKINS_URL'] !== undefined
          ? fromJenkins
          : () => ({});
  return Object.fromEntries(
    Object.entries(readVariables(environment)).filter(([, value]) => value !== undefined && value !== ''),
  );
}

type CiVariables = { readonly [Fact in keyof CiFacts]?: string | undefined };

function fromGitHub(environment: Environment): CiVariables {
  const { GITHUB_REPOSITORY: repository, GITHUB_REF: ref, GITHUB_SHA: commit, GITHUB_RUN_ID: id } = environment;
  const server = environment['GITHUB_SERVER_URL'];
  const issuer =
    server === 'https://github.com' ? 'https://token.actions.githubusercontent.com' : `${server}/_services/token`;
  return { issuer, repository, ref, commit, run: id && `${server}/${repository}/actions/runs/${id}` };
}

function fromGitLab(environment: Environment): CiVariables {
  const { CI_COMMIT_TAG: tag, CI_COMMIT_REF_NAME: branch, CI_MERGE_REQUEST_IID: request } = environment;
  return {
    issuer: environment['CI_SERVER_URL'],
    repository: environment['CI_PROJECT_PATH'],
    ref: refOf(tag, branch),
    commit: environment['CI_COMMIT_SHA'],
    review: request && `${environment['CI_PROJECT_URL']}/-/merge_requests/${request}`,
    run: environment['CI_JOB_URL'],
  };
}

function fromJenkins(environment: Environment): CiVariables {
  const { TAG_NAME: tag, BRANCH_NAME: branch, CHANGE_ID: change, GIT_BRANCH: remote } = environment;
  return {
    issuer: environment['JENKINS_URL']?.replace(/\/+$/, ''),
    repository: repositoryOf(environment['GIT_URL']),
    ref: change ? `refs/pull/${change}` : refOf(tag, branch ?? remote?.replace(/^origin\//, '')),
    commit: environment['GIT_COMMIT'],
    review: environment['CHANGE_URL'],
    run: environment['BUILD_URL'],
  };
}

const refOf = (tag: string | undefined, branch: string | undefined): string | undefined =>
  tag ? `refs/tags/${tag}` : branch && `refs/heads/${branch}`;

/** Returns `git.example.com/commerce/shop` for a clone URL, without credentials. */
const repositoryOf = (url: string | undefined): string | undefined =>
  url
    ?.replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?!\d+\/)/, '$1/')
    .replace(/(\.git)?\/*$/, '');
