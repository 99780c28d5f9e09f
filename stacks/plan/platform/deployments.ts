import {
  canaryObjects,
  canaryVariableProblems,
  examineSubmissionSettings,
  serviceFileProblems,
  serviceObjects,
  submissionName,
  submissionStatusPort,
  watchObjects,
  watchVariableProblems,
  type KubernetesObject,
  type SubmissionInput,
} from 'pinion';
import { type Problem } from 'pinion/api';
import { entrancesOf } from './ingress-controller';
import { outwardPolicy } from './outward-policy';
import { platformProjects } from './platform-accounts';
import { type PlatformFacts } from './platform-facts';
import { scrapePolicy } from './scrape-policy';

/** What deploys, what tells owners of quotas that fill up, and what goes through all of it, where they are asked for: the watcher first, whose histories the service reads. */
export const deployments = (facts: PlatformFacts): KubernetesObject[] => [
  ...quotaWatcher(facts),
  ...submissionService(facts),
  ...canary(facts),
];

function quotaWatcher(facts: PlatformFacts): KubernetesObject[] {
  const { quotaWatcher: told, team } = facts;
  if (!told) return [];
  const { image, schedule, secret, env } = told;
  const project = platformProjects.quota;
  const objects = watchObjects({ image, project, team, env, ...(schedule && { schedule }), ...(secret && { secret }) });
  return reachingOut(facts, project, objects);
}

/** Last, so that what it goes through is there. */
function canary(facts: PlatformFacts): KubernetesObject[] {
  const { canary: told, team } = facts;
  if (!told) return [];
  const { image, schedule, secret, env } = told;
  const project = platformProjects.canary;
  const objects = canaryObjects({
    image,
    project,
    team,
    env,
    ...(schedule && { schedule }),
    ...(secret && { secret }),
  });
  return reachingOut(facts, project, objects);
}

function submissionService(facts: PlatformFacts): KubernetesObject[] {
  const { submission: told, team, roles } = facts;
  if (!told) return [];
  const { image, replicas, hosts, secrets } = told;
  const isInternal = entrancesOf(facts).some(({ exposure }) => exposure === 'internal');
  const exposure = told.exposure ?? (isInternal ? undefined : 'cluster');
  const project = platformProjects.submission;
  const objects = serviceObjects({
    image,
    project,
    team,
    replicas,
    settings: settingsOf(facts) as SubmissionInput,
    ...(exposure && { exposure }),
    ...(hosts && { hosts }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(roles.submission !== undefined && { iamRole: roles.submission }),
  });
  return [
    ...reachingOut(facts, project, objects),
    ...scrapePolicy(facts, project, submissionName, submissionStatusPort),
  ];
}

/** Its Project, which is the first of a program's objects, makes the namespace that the policy is in. */
function reachingOut(facts: PlatformFacts, project: string, objects: readonly object[]): KubernetesObject[] {
  const [owned, ...others] = objects as readonly KubernetesObject[];
  return [...(owned ? [owned] : []), ...outwardPolicy(facts, project), ...others];
}

/** Settings that follow from the cluster. */
const followingSettings = ({ cluster, artifacts, quotaWatcher: watcher }: PlatformFacts) => ({
  ...artifacts,
  clusters: [{ name: cluster }],
  ...(watcher && { quotaNamespace: platformProjects.quota }),
});

/** What the service is told: by a person, and by what follows from the cluster. */
const settingsOf = (facts: PlatformFacts): Readonly<Record<string, unknown>> => ({
  ...facts.submission?.settings,
  ...followingSettings(facts),
});

/** What canary, watcher and service cannot be told, or what they lack. */
export const deploymentProblems = (facts: PlatformFacts): Problem[] => [
  ...below('quotaWatcher', watchVariableProblems(facts.quotaWatcher ?? {})),
  ...below('canary', canaryVariableProblems(facts.canary ?? {})),
  ...submissionProblems(facts),
];

const below = (field: string, problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, path: [field, ...problem.path] }));

function submissionProblems(facts: PlatformFacts): Problem[] {
  const { submission, artifacts } = facts;
  if (!submission) return [];
  const path = ['submission', 'settings'];
  const owned = ['store', 'witness', 'clusters', 'quotaNamespace', 'port', 'statusPort']
    .filter((field) => Object.hasOwn(submission.settings, field))
    .map((field): Problem => {
      const reason = 'follows from the cluster';
      return { code: 'platform-owned', path: [...path, field], reason, remedy: 'leave it out' };
    });
  if (artifacts) {
    const told = settingsOf(facts) as SubmissionInput;
    const { problems } = examineSubmissionSettings(told);
    const all = [...problems, ...serviceFileProblems(told, submission.secrets)];
    return [...owned, ...all.map((one) => ({ ...one, path: [...path, ...one.path] }))];
  }
  const reason = 'has no artifacts to deploy: the description of the cluster names no store';
  const remedy = 'give pinion:cluster its artifacts, and change the stack of the cluster first';
  return [...owned, { code: 'required', path: ['submission'], reason, remedy }];
}
