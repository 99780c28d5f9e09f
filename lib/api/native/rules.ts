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
 * Requirements of the API server on native types beyond their structure, from `pkg/apis/core/validation` of Kubernetes
 * 1.36.
 *
 * Maximum sizes of lists and strings are pinion's own if Kubernetes has none: the cost of CEL rules depends on them.
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
