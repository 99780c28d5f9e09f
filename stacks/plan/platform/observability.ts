import { observabilityObjects, type KubernetesObject } from 'pinion';
import { apiVersion } from 'pinion/api';
import { platformProjects } from './platform-accounts';
import { type PlatformFacts } from './platform-facts';

/** Groups of alerts of parts that the cluster does not have: those for absence would fire for ever. */
const groupsLeftOut = ({ canary, quotaWatcher, submission }: PlatformFacts): string[] => [
  ...(canary ? [] : ['pinion-canary']),
  ...(quotaWatcher ? [] : ['pinion-quota']),
  ...(submission ? [] : ['pinion-submission']),
];

/** Rules and dashboards where they are asked for: in a project of their own, or where Prometheus runs already. */
export function observability(facts: PlatformFacts): KubernetesObject[] {
  const { observability: told, kubernetes, team } = facts;
  if (!told) return [];
  const { rules, ruleLabels, runbooks, dashboards, namespace = platformProjects.observability } = told;
  const home: KubernetesObject = {
    apiVersion,
    kind: 'Project',
    metadata: { name: namespace },
    spec: { team },
  };
  const objects = observabilityObjects({
    kubernetes,
    namespace,
    rules,
    dashboards,
    without: groupsLeftOut(facts),
    ...(ruleLabels && { labels: ruleLabels }),
    ...(runbooks !== undefined && { runbooks }),
  });
  return [...(told.namespace === undefined ? [home] : []), ...objects];
}
