import { type CanaryCause, type CanaryPart } from './canary-report';
import { type FailedCall } from './canary-facts';

/** Known error message of a rejected request, and its cause. */
interface RejectionPattern {
  readonly service: FailedCall['service'];
  readonly pattern: RegExp;
  readonly part: CanaryPart;
  readonly owner?: CanaryCause['owner'];
  /** Text before the error message; $1 is the pattern's first group. */
  readonly message: string;
  readonly next: string;
}

/** The first match applies. The messages are those of Kubernetes 1.35 and 1.36. */
const patterns: readonly RejectionPattern[] = [
  {
    service: 'api-server',
    pattern: /exceeded quota: ([^,]+)/,
    part: 'quota',
    owner: 'quota',
    message: "quota $1 rejects the canary's small pods",
    next: 'run "kubectl describe resourcequota" in the namespace, and check the quota of its Project',
  },
  {
    service: 'api-server',
    pattern: /(?:status unknown for quota|insufficient quota to match)/,
    part: 'controller-manager',
    message: 'the controller manager has not computed the quota usage of the namespace yet',
    next: 'check kube-controller-manager on the control plane nodes, and its log',
  },
  {
    service: 'api-server',
    pattern: /ValidatingAdmissionPolicy '([^']+)'/,
    part: 'admission',
    message: 'admission policy $1 rejects it',
    next: 'run "kubectl describe validatingadmissionpolicy" for it, and compare it with the output of "pinion install"',
  },
  {
    service: 'api-server',
    pattern: /MutatingAdmissionPolicy '([^']+)'/,
    part: 'admission',
    message: 'admission policy $1 rejects it',
    next: 'run "kubectl describe mutatingadmissionpolicy" for it',
  },
  {
    service: 'api-server',
    pattern: /policy '([^']+)' with binding/,
    part: 'admission',
    message: 'admission policy $1 rejects it',
    next: 'run "kubectl describe validatingadmissionpolicy" for it, and check its binding',
  },
  {
    service: 'api-server',
    pattern: /failed calling webhook "([^"]+)"/,
    part: 'admission',
    message: 'admission webhook $1 does not respond',
    next: 'check its service: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations"',
  },
  {
    service: 'api-server',
    pattern: /admission webhook "([^"]+)" denied/,
    part: 'admission',
    message: 'admission webhook $1 rejects it',
    next: 'contact the owner of that webhook',
  },
  {
    service: 'api-server',
    pattern: /violates PodSecurity "([^"]+)"/,
    part: 'admission',
    message: 'Pod Security $1 rejects its pods: the runtime profile or the level of the namespace changed',
    next: 'check the labels of the namespace, and the containers in the message',
  },
  {
    service: 'api-server',
    pattern: /(?:no matches for kind|could not find the requested resource)/,
    part: 'controller',
    message: "pinion's CustomResourceDefinitions are not installed",
    next: 'apply the output of "pinion install"',
  },
  {
    service: 'api-server',
    pattern: /namespaces "([^"]+)" not found|namespace ([^ ]+) because it is being terminated/,
    part: 'controller',
    message: "the canary's namespace does not exist or is terminating",
    next: "check the Project of that name, and whether pinion's controller runs",
  },
  {
    service: 'api-server',
    pattern: /cannot (\w+) resource/,
    part: 'canary',
    message: 'the canary lacks the RBAC permission to $1',
    next: 'apply the output of "pinion canary manifests"',
  },
  {
    service: 'submission',
    pattern: /signature|signed|published by|untrusted-artifact|publisher/i,
    part: 'artifacts',
    message: "the submission service does not trust the canary's artifact",
    next: "check the publishers of the Project's stages, and the canary's signing key",
  },
  {
    service: 'submission',
    pattern: /artifact store|store/i,
    part: 'artifacts',
    message: 'the submission service cannot read the artifact store',
    next: "check the store, and the service's access to it",
  },
];

/** Returns the cause of a failed request. Pure. */
export function rejectionCause({ service, status, message }: FailedCall): CanaryCause {
  for (const { service: patternService, pattern, part, owner = 'platform', message: prefix, next } of patterns) {
    const found = patternService === service ? pattern.exec(message) : undefined;
    if (found) return { part, owner, message: `${prefix.replace('$1', found[1] ?? found[2] ?? '')}: ${message}`, next };
  }
  const { part, subject, next } = otherFailures[service];
  const symptom = status === 0 ? 'does not respond' : status >= 500 ? 'fails' : 'rejects it';
  return { part, owner: 'platform', message: `${subject} ${symptom}: ${message}`, next };
}

const otherFailures: Readonly<Record<FailedCall['service'], { part: CanaryPart; subject: string; next: string }>> = {
  'api-server': {
    part: 'api-server',
    subject: 'the API server',
    next: 'run "kubectl get --raw /readyz?verbose", and check kube-apiserver on the control plane nodes',
  },
  submission: {
    part: 'submission',
    subject: 'the submission service',
    next: 'check its log: "kubectl logs -n pinion-submission deploy/submission"',
  },
  artifacts: {
    part: 'artifacts',
    subject: 'the artifact store',
    next: "check the store, and the canary's access to it",
  },
  dns: { part: 'dns', subject: 'the DNS of the cluster', next: 'check the CoreDNS pods in kube-system' },
  registrar: {
    part: 'zookeeper',
    subject: 'the registrar of the pod',
    next: 'check whether ZooKeeper responds, and the log of container pinion-traffic',
  },
};
