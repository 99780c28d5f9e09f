import { draftObject } from '../objects/kubernetes-object';
import { selectorOf } from '../objects/labels';
import { derivedName } from '../objects/name';
import { networkPolicy } from '../objects/network-policy';
import { serviceAccount } from '../objects/service-account';
import { workloadPod } from '../pods/pod';
import { requestsRule } from '../policies/requests-rule';
import { type KindExpander } from './kind-expander';

/** Expander of PinterestWorker: a Deployment without a Service. */
export const pinterestWorkerExpander: KindExpander<'PinterestWorker'> = {
  objects: (workload, context) => {
    const { metadata, spec } = workload;
    const pod = workloadPod(workload, context, {
      template: spec.template,
      serves: false,
      spread: true,
      revisions: true,
    });
    const body = {
      replicas: spec.replicas,
      selector: { matchLabels: selectorOf(workload) },
      template: pod.template,
    };
    return [
      serviceAccount(workload),
      ...networkPolicy(workload, context, { ingress: false, peers: false }),
      ...pod.objects,
      draftObject('Deployment', { name: derivedName([metadata.name]) }, { spec: body }),
    ];
  },
  rules: [requestsRule],
  mounts: () => [],
  controllerNeeds: () => [],
  concurrentJobs: () => undefined,
  controllerVerbs: [],
};
