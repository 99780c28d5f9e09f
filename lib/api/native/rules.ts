import { containerRules } from './container-rules';
import { legacyVolumeRules } from './legacy-volume-rules';
import { objectRules } from './object-rules';
import { type TypeRules } from './overlay';
import { podRules } from './pod-rules';
import { probeRules } from './probe-rules';
import { resourceRules } from './resource-rules';
import { schedulingRules } from './scheduling-rules';
import { securityRules } from './security-rules';
import { volumeRules } from './volume-rules';

/**
 * What the API server demands of native types beyond their structure, as `pkg/apis/core/validation` of Kubernetes 1.36 says it.
 *
 * Bounds on the sizes of lists and texts are our own where Kubernetes has none: CEL rules are priced by them.
 */
export const nativeRules: Readonly<Record<string, TypeRules>> = {
  ...containerRules,
  ...legacyVolumeRules,
  ...objectRules,
  ...podRules,
  ...probeRules,
  ...resourceRules,
  ...schedulingRules,
  ...securityRules,
  ...volumeRules,
};
