import { observabilityManifests, type KubernetesObject } from '@pinion-platform/pinion';
import { apiVersion } from '@pinion-platform/pinion/api';
import { platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

/** Returns the alert groups of programs that are not installed; their absence alerts would fire. */
const omittedGroups = ({
  canary,
  clientMonitorImage,
  gatewayImage,
  quotaMonitor,
  submission,
}: PlatformStackConfig): string[] => [
  ...(canary ? [] : ['pinion-canary']),
  ...(clientMonitorImage === undefined ? ['pinion-clients'] : []),
  ...(gatewayImage === undefined ? ['pinion-gateway'] : []),
  ...(quotaMonitor ? [] : ['pinion-quota']),
  ...(submission ? [] : ['pinion-submission']),
];

/** Returns rules and dashboards, if configured, in their own project or the namespace of Prometheus. */
export function observability(config: PlatformStackConfig): KubernetesObject[] {
  const { observability: settings, kubernetesVersion, team } = config;
  if (!settings) return [];
  const { rules, ruleLabels, runbooks, dashboards, namespace = platformProjects.observability } = settings;
  const project: KubernetesObject = {
    apiVersion,
    kind: 'Project',
    metadata: { name: namespace },
    spec: { team },
  };
  const objects = observabilityManifests({
    kubernetes: kubernetesVersion,
    namespace,
    rules,
    dashboards,
    without: omittedGroups(config),
    ...(ruleLabels && { labels: ruleLabels }),
    ...(runbooks !== undefined && { runbooks }),
  });
  return [...(settings.namespace === undefined ? [project] : []), ...objects];
}
