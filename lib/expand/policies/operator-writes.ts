import { group, kindsWith, metadataKeys, version, workloadKinds } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy } from './admission-policy';
import { sameAnnotationsExcept, sameExceptAnnotations } from './update-expressions';

/** Plural names of the workload kinds that can be restarted: their pods run until replaced. */
export const restartablePlurals: readonly string[] = kindsWith('lifecycle', 'Continuous').map(
  (kind) => workloadKinds[kind].plural,
);

const mayNot = (verb: string) =>
  `!authorizer.group(request.resource.group).resource(request.resource.resource).namespace(request.namespace).check("${verb}").allowed()`;
const time = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$';
const restart = `object.metadata.?annotations.orValue({})[?${JSON.stringify(metadataKeys.restart)}].orValue("")`;

/**
 * Creates the policy for members with the role `operate`, to whom RBAC can only grant a patch of the whole workload: of a
 * user who may neither create nor update workloads, it accepts the restart annotation only.
 */
export const operatorWritePolicy = (): KubernetesObject[] =>
  admissionPolicy(`operator-writes.${group}`, {
    resourceRules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        operations: ['UPDATE'],
        resources: Object.values(workloadKinds).map(({ plural }) => plural),
      },
    ],
    // Controllers of Kubernetes update finalizers and owners.
    matchConditions: [{ name: 'operator', expression: `${mayNot('create')} && ${mayNot('update')}` }],
    validations: [
      {
        expression: `${sameExceptAnnotations} && ${sameAnnotationsExcept(metadataKeys.restart)}`,
        message: `your role allows to change only the annotation ${metadataKeys.restart}, which restarts the pods, and the number of replicas by the scale subresource; deploy other changes, or ask for the role edit in the Project`,
      },
      {
        expression: `${restart}.matches(${JSON.stringify(time)})`,
        message: `metadata.annotations[${metadataKeys.restart}]: must be a time in the format of RFC 3339, such as 2026-11-23T10:00:00Z`,
        reason: 'Invalid',
      },
    ],
  });
