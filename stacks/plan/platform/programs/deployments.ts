import {
  canaryManifests,
  canaryVariableProblems,
  safeParseSubmissionSettings,
  submissionFileProblems,
  submissionManifests,
  submissionName,
  submissionStatusPort,
  quotaMonitorManifests,
  quotaMonitorVariableProblems,
  type KubernetesObject,
  type SubmissionInput,
} from 'pinion';
import { type Problem } from 'pinion/api';
import { ingressClassesOf } from '../add-ons/ingress-controller';
import { egressPolicy, scrapePolicy } from '../objects/network-policies';
import { platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

/** Returns the objects of quota monitor, submission service and canary, if configured; the monitor first, since the service reads its histories. */
export const deployments = (facts: PlatformStackConfig): KubernetesObject[] => [
  ...quotaMonitor(facts),
  ...submissionService(facts),
  ...canary(facts),
];

function quotaMonitor(facts: PlatformStackConfig): KubernetesObject[] {
  const { quotaMonitor: settings, team } = facts;
  if (!settings) return [];
  const { image, schedule, secret, env } = settings;
  const project = platformProjects.quota;
  const objects = quotaMonitorManifests({
    image,
    project,
    team,
    env,
    ...(schedule && { schedule }),
    ...(secret && { secret }),
  });
  return reachingOut(facts, project, objects);
}

/** Returns the objects of the canary, last, since it exercises the others. */
function canary(facts: PlatformStackConfig): KubernetesObject[] {
  const { canary: settings, team } = facts;
  if (!settings) return [];
  const { image, schedule, secret, env } = settings;
  const project = platformProjects.canary;
  const objects = canaryManifests({
    image,
    project,
    team,
    env,
    ...(schedule && { schedule }),
    ...(secret && { secret }),
  });
  return reachingOut(facts, project, objects);
}

function submissionService(facts: PlatformStackConfig): KubernetesObject[] {
  const { submission: settings, team, roles } = facts;
  if (!settings) return [];
  const { image, replicas, hosts, secrets } = settings;
  const isInternal = ingressClassesOf(facts).some(({ exposure }) => exposure === 'internal');
  const exposure = settings.exposure ?? (isInternal ? undefined : 'Cluster');
  const project = platformProjects.submission;
  const objects = submissionManifests({
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

/** Inserts the egress policy after the Project, the first object, which creates the namespace. */
function reachingOut(facts: PlatformStackConfig, project: string, objects: readonly object[]): KubernetesObject[] {
  const [owned, ...others] = objects as readonly KubernetesObject[];
  return [...(owned ? [owned] : []), ...egressPolicy(facts, project), ...others];
}

/** Returns the settings that follow from the cluster. */
const followingSettings = ({ cluster, artifacts, quotaMonitor }: PlatformStackConfig) => ({
  ...(artifacts && { artifactStore: artifacts.store }),
  ...(artifacts?.verificationStore !== undefined && { verificationStore: artifacts.verificationStore }),
  clusters: [{ name: cluster }],
  ...(quotaMonitor && { quotaNamespace: platformProjects.quota }),
});

/** Returns the settings of the submission service: configured ones, and those that follow from the cluster. */
const settingsOf = (facts: PlatformStackConfig): Readonly<Record<string, unknown>> => ({
  ...facts.submission?.settings,
  ...followingSettings(facts),
});

/** Validates the settings of canary, quota monitor and submission service. */
export const deploymentProblems = (facts: PlatformStackConfig): Problem[] => [
  ...below('quotaMonitor', quotaMonitorVariableProblems(facts.quotaMonitor ?? {})),
  ...below('canary', canaryVariableProblems(facts.canary ?? {})),
  ...submissionProblems(facts),
];

const below = (field: string, problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, path: [field, ...problem.path] }));

function submissionProblems(facts: PlatformStackConfig): Problem[] {
  const { submission, artifacts } = facts;
  if (!submission) return [];
  const path = ['submission', 'settings'];
  const owned = ['artifactStore', 'verificationStore', 'clusters', 'quotaNamespace', 'port', 'statusPort']
    .filter((field) => Object.hasOwn(submission.settings, field))
    .map((field): Problem => {
      const reason = 'follows from the cluster';
      return { code: 'platform-owned', path: [...path, field], reason, remedy: 'remove it' };
    });
  if (artifacts) {
    const settings = settingsOf(facts) as SubmissionInput;
    const { problems } = safeParseSubmissionSettings(settings);
    const all = [...problems, ...submissionFileProblems(settings, submission.secrets)];
    return [...owned, ...all.map((one) => ({ ...one, path: [...path, ...one.path] }))];
  }
  const reason = 'needs an artifact store, but the cluster configuration has none';
  const remedy = 'set artifacts of pinion:cluster, and update the cluster stack first';
  return [...owned, { code: 'required', path: ['submission'], reason, remedy }];
}
