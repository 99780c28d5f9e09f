import { group, metadataKeys, version, workloadKinds } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy } from './admission-policy';

const name = `stage-ownership.${group}`;
const [stageKey, stagesKey] = [JSON.stringify(metadataKeys.stage), JSON.stringify(metadataKeys.stages)];
const labelOf = (object: string): string =>
  `(has(${object}.metadata.labels) && ${stageKey} in ${object}.metadata.labels ? ${object}.metadata.labels[${stageKey}] : "")`;
const remedy =
  'deploy the workload with pinion deploy PROJECT/WORKFLOW@VERSION --to STAGE, with a stage that the Project lists for this cluster';

/**
 * Creates the admission policy that accepts workloads in a protected project only from the stages that own the cluster.
 * The Namespace names them, so that the API server decides without reading the Project.
 */
export function stageOwnershipPolicy(): KubernetesObject[] {
  const resources = Object.values(workloadKinds).map(({ plural }) => plural);
  return admissionPolicy(name, {
    namespaceSelector: { matchLabels: { [metadataKeys.protected]: 'true' } },
    resourceRules: [{ apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources }],
    // Removing finalizers must work for workloads that were applied before the project was protected.
    matchConditions: [
      {
        name: 'spec-or-stage-changed',
        expression: `oldObject == null || object.spec != oldObject.spec || ${labelOf('object')} != ${labelOf('oldObject')}`,
      },
    ],
    variables: [
      { name: 'stage', expression: labelOf('object') },
      {
        name: 'owners',
        expression: `has(namespaceObject.metadata.annotations) && ${stagesKey} in namespaceObject.metadata.annotations ? namespaceObject.metadata.annotations[${stagesKey}].split(",") : []`,
      },
    ],
    validations: [
      {
        expression: 'variables.stage in variables.owners',
        message: `metadata.labels[${stageKey}] is not a stage that owns this cluster; ${remedy}`,
        messageExpression: `${JSON.stringify(`metadata.labels[${stageKey}]: "`)} + variables.stage + "\\" is not a stage that owns this cluster in project " + namespaceObject.metadata.name + ", which is " + (size(variables.owners) == 0 ? "none" : variables.owners.join(" or ")) + ${JSON.stringify(`; ${remedy}`)}`,
      },
    ],
  });
}
