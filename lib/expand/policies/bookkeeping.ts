import { group } from '../../api';

/** CEL expression that is true for updates. */
export const isUpdate = 'request.operation == "UPDATE"';
const annotationsOf = (object: string) => `${object}.metadata.?annotations.orValue({})`;
/** Returns a CEL expression that is true if annotations are equal, except for keys that satisfy an expression on `k`. */
export const sameAnnotations = (isIgnored: string): string =>
  `${annotationsOf('object')}.all(k, ${isIgnored} || ${annotationsOf('oldObject')}[?k] == optional.of(object.metadata.annotations[k])) && ${annotationsOf('oldObject')}.all(k, ${isIgnored} || k in ${annotationsOf('object')})`;
/** CEL expression that is true if an update leaves what an object declares as it is; finalizers and other bookkeeping may change. */
export const sameContent = [
  'has(object.spec)',
  'object.spec == oldObject.spec',
  'object.metadata.?labels.orValue({}) == oldObject.metadata.?labels.orValue({})',
  'object.metadata.?ownerReferences.orValue([]) == oldObject.metadata.?ownerReferences.orValue([])',
].join(' && ');

const subresource = 'request.?subResource.orValue("")';
const isPod = 'request.resource.resource == "pods"';
/** Fields of a pod's status that the kubelet, the scheduler and controllers write: readiness, addresses, and what failed. */
const ownStatusFields = [
  ...['phase', 'reason', 'message', 'startTime', 'qosClass', 'observedGeneration', 'nominatedNodeName', 'resize'],
  ...['podIP', 'podIPs', 'hostIP', 'hostIPs', 'resources', 'allocatedResources', 'resourceClaimStatuses'],
  ...['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses', 'extendedResourceClaimStatus'],
];
/** Types of conditions that Kubernetes sets; others are those of readiness gates. */
const ownConditions = [
  ...['ContainersReady', 'DisruptionTarget', 'Initialized', 'PodReadyToStartContainers', 'PodResizeInProgress'],
  ...['PodResizePending', 'PodScheduled', 'Ready'],
];
const conditionsOf = (object: string): string =>
  `${object}.?status.?conditions.orValue([]).filter(c, c.type in ${JSON.stringify(ownConditions)})`;
/** True if only conditions of readiness gates change in the status of a pod. */
const sameStatus = [
  ...ownStatusFields.map((field) => `object.?status.?${field} == oldObject.?status.?${field}`),
  `${conditionsOf('object')} == ${conditionsOf('oldObject')}`,
].join(' && ');
/**
 * CEL expression that is true for what add-ons write: annotations of pods, also by their status, readiness gates, and finalizers of
 * load balancers.
 */
export const isBookkeeping = [
  isUpdate,
  sameContent,
  `(${subresource} == "" || ${subresource} == "status" && ${isPod} && ${sameStatus})`,
  `(${isPod} ? ${sameAnnotations(`!k.endsWith("${group}") && !k.contains("${group}/")`)} : ${sameAnnotations('false')})`,
].join(' && ');
