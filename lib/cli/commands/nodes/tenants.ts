import { metadataKeys } from '../../../api';
import { type LiveObject } from '../../../kube';
import { textAt } from '../import/fields';
import { byName, groupBy } from '../../output/group-by';
import { workloadOf } from './workload-of';

/** A workload that has pods on a node. */
export interface NodeTenant {
  readonly project: string;
  readonly workload: string;
  readonly team?: string;
  readonly owner?: string;
  readonly onCall?: string;
  readonly tier?: string;
  readonly pods: number;
}

/** Returns the workloads of pods, with the team of their Projects if the pods have none. */
export function tenantsOf(
  pods: readonly LiveObject[],
  projects: ReadonlyMap<string, LiveObject>,
): readonly NodeTenant[] {
  const groups = groupBy(pods, (pod) => `${pod.metadata.namespace ?? ''}/${workloadOf(pod)}`);
  return [...groups.values()]
    .map((group): NodeTenant => {
      const { namespace = '', labels = {}, annotations = {} } = (group[0] as LiveObject).metadata;
      const project = projects.get(namespace);
      const team = labels[metadataKeys.team] ?? textAt(project, 'spec', 'team');
      const onCall = textAt(project, 'spec', 'onCall');
      const owner = annotations[metadataKeys.owner];
      const tier = labels[metadataKeys.tier] ?? textAt(group[0], 'spec', 'priorityClassName');
      return {
        project: namespace,
        workload: workloadOf(group[0] as LiveObject),
        ...(team !== undefined && { team }),
        ...(owner !== undefined && owner !== team && { owner }),
        ...(onCall !== undefined && { onCall }),
        ...(tier !== undefined && { tier }),
        pods: group.length,
      };
    })
    .sort(byName(({ project, workload }) => `${project}/${workload}`));
}
