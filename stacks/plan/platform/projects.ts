import { apiVersion, type Input } from 'pinion/api';
import { mostNodes } from './bounds';
import { platformProjects } from './platform-accounts';
import { type PlatformFacts } from './platform-facts';
import { volumeDriverPaths } from './volume-driver-node';

/** What one pod of an add-on asks for at most, injected containers included. */
const podAmounts = { cpu: 1, memoryGib: 2 };

/** Infrastructure projects of the platform's own parts, each with room for what runs in it and not more access than that needs. */
export function platformProjectDocuments(facts: PlatformFacts): Input<'Project'>[] {
  const project = (name: string, pods: number, more: Partial<Input<'Project'>['spec']> = {}): Input<'Project'> => ({
    apiVersion,
    kind: 'Project',
    metadata: { name },
    spec: { team: facts.team, infrastructure: true, quota: quota(pods), ...more },
  });
  const nodes = mostNodes(facts);
  return [
    project(platformProjects.storage, nodes * 2 + 8, {
      podSecurity: 'privileged',
      host: { privileged: true, paths: volumeDriverPaths },
    }),
    project(platformProjects.scaling, 16),
    project(platformProjects.entrance, 64),
  ];
}

/** Claims and objects of the platform's parts are none, so that only pods are counted; the default of the Platform would be for applications. */
const quota = (pods: number): Record<string, string> => ({
  pods: String(pods),
  'requests.cpu': String(pods * podAmounts.cpu),
  'requests.memory': `${pods * podAmounts.memoryGib}Gi`,
  'limits.memory': `${pods * podAmounts.memoryGib * 2}Gi`,
});
