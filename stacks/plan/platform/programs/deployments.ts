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
} from '@pinion-platform/pinion';
import { type Problem } from '@pinion-platform/pinion/api';
import { ingressClassesOf } from '../add-ons/ingress-controller';
import { deniesByDefault, egressPolicy, scrapePolicy } from '../objects/network-policies';
import { platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

/**
 * Returns the objects of the quota monitor, submission service and canary, if configured; the monitor first, since the
 * service reads its histories, with what lets the client monitor store its own in that namespace.
 */
export const deployments = (
  config: PlatformStackConfig,
  historyAccess: readonly KubernetesObject[],
): KubernetesObject[] => [...quotaMonitor(config), ...historyAccess, ...submissionService(config), ...canary(config)];

function quotaMonitor(config: PlatformStackConfig): KubernetesObject[] {
  const { quotaMonitor: settings, team } = config;
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
  return withEgressPolicy(config, project, objects);
}

/** Returns the objects of the canary, last, since it exercises the others. */
function canary(config: PlatformStackConfig): KubernetesObject[] {
  const { canary: settings, team } = config;
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
  return withEgressPolicy(config, project, objects);
}

function submissionService(config: PlatformStackConfig): KubernetesObject[] {
  const { submission: settings, team, roles } = config;
  if (!settings) return [];
  const { image, replicas, hosts, secrets } = settings;
  const exposure = exposureOf(config);
  const isProxied = exposure !== 'Cluster';
  const project = platformProjects.submission;
  const objects = submissionManifests({
    image,
    project,
    team,
    replicas,
    settings: settingsOf(config) as SubmissionInput,
    ...(exposure !== 'Internal' && { exposure }),
    ...(hosts && { hosts }),
    // A pod that connects directly could state any address of a client.
    ...(isProxied && { clients: config.canary ? [platformProjects.canary] : [] }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(roles.submission !== undefined && { iamRole: roles.submission }),
  });
  return [
    ...withEgressPolicy(config, project, objects),
    ...(isProxied || deniesByDefault(config)
      ? scrapePolicy(config, project, submissionName, submissionStatusPort)
      : []),
  ];
}

/** Returns the exposure of the submission service: by default internal, or the cluster if the Platform has no internal ingress. */
function exposureOf(config: PlatformStackConfig): 'Cluster' | 'Internal' | 'External' {
  const isInternal = ingressClassesOf(config).some(({ exposure }) => exposure === 'internal');
  return config.submission?.exposure ?? (isInternal ? 'Internal' : 'Cluster');
}

/** Inserts the egress policy after the Project, the first object, which creates the namespace. */
function withEgressPolicy(
  config: PlatformStackConfig,
  project: string,
  objects: readonly object[],
): KubernetesObject[] {
  const [owned, ...others] = objects as readonly KubernetesObject[];
  return [...(owned ? [owned] : []), ...egressPolicy(config, project), ...others];
}

/** Returns the settings that are derived from the cluster. */
const clusterSettings = ({ cluster, artifacts, quotaMonitor }: PlatformStackConfig) => ({
  ...(artifacts && { artifactStore: artifacts.store }),
  ...(artifacts?.verificationStore !== undefined && { verificationStore: artifacts.verificationStore }),
  clusters: [{ name: cluster }],
  ...(quotaMonitor && { quotaNamespace: platformProjects.quota }),
});

/** Returns the settings of the submission service: configured ones, and those that are derived from the cluster. */
const settingsOf = (config: PlatformStackConfig): Readonly<Record<string, unknown>> => ({
  ...config.submission?.settings,
  ...clusterSettings(config),
  // Only ingress controllers can connect, and they replace what a client states.
  ...(exposureOf(config) !== 'Cluster' && { trustedProxies: [config.network.pods] }),
});

/** Validates the settings of canary, quota monitor and submission service. */
export const deploymentProblems = (config: PlatformStackConfig): Problem[] => [
  ...atField('quotaMonitor', quotaMonitorVariableProblems(config.quotaMonitor ?? {})),
  ...atField('canary', canaryVariableProblems(config.canary ?? {})),
  ...submissionProblems(config),
];

const atField = (field: string, problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, path: [field, ...problem.path] }));

const ownedSettings = ['artifactStore', 'verificationStore', 'clusters', 'quotaNamespace', 'port', 'statusPort'];

function submissionProblems(config: PlatformStackConfig): Problem[] {
  const { submission, artifacts } = config;
  if (!submission) return [];
  const path = ['submission', 'settings'];
  const owned = [...ownedSettings, ...(exposureOf(config) === 'Cluster' ? [] : ['trustedProxies'])]
    .filter((field) => Object.hasOwn(submission.settings, field))
    .map((field): Problem => {
      const reason = 'is set by the platform stack';
      return { code: 'platform-owned', path: [...path, field], reason, remedy: 'remove it' };
    });
  if (artifacts) {
    const settings = settingsOf(config) as SubmissionInput;
    const { problems } = safeParseSubmissionSettings(settings);
    const all = [...problems, ...submissionFileProblems(settings, submission.secrets)];
    return [...owned, ...all.map((one) => ({ ...one, path: [...path, ...one.path] }))];
  }
  const reason = 'needs an artifact store, but the cluster configuration has none';
  const remedy = 'set artifacts of pinion:cluster, and update the cluster stack first';
  return [...owned, { code: 'required', path: ['submission'], reason, remedy }];
}
