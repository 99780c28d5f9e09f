import { type CanaryCause, type CanaryPart } from './canary-report';
import { type FailedCall } from './canary-facts';

/** What a refusal says, by its words. */
interface Refusal {
  readonly of: FailedCall['of'];
  readonly words: RegExp;
  readonly part: CanaryPart;
  readonly owner?: CanaryCause['owner'];
  /** What is said before the words of the refusal; $1 is what the expression found. */
  readonly message: string;
  readonly next: string;
}

/** The first that fits is believed. Texts are those of Kubernetes 1.35 and 1.36. */
const refusals: readonly Refusal[] = [
  {
    of: 'api-server',
    words: /exceeded quota: ([^,]+)/,
    part: 'quota',
    owner: 'quota',
    message: "the quota $1 refuses the canary's small pods",
    next: 'see "kubectl describe resourcequota" in the namespace, and the quota of its Project',
  },
  {
    of: 'api-server',
    words: /(?:status unknown for quota|insufficient quota to match)/,
    part: 'controller-manager',
    message: 'the quota of the namespace was not counted yet, which the controller manager does',
    next: 'see kube-controller-manager on the masters, and its log',
  },
  {
    of: 'api-server',
    words: /ValidatingAdmissionPolicy '([^']+)'/,
    part: 'admission',
    message: 'the admission policy $1 refuses it',
    next: 'see "kubectl describe validatingadmissionpolicy" of that name; "pinion install" prints it as it should be',
  },
  {
    of: 'api-server',
    words: /MutatingAdmissionPolicy '([^']+)'/,
    part: 'admission',
    message: 'the admission policy $1 refuses it',
    next: 'see "kubectl describe mutatingadmissionpolicy" of that name',
  },
  {
    of: 'api-server',
    words: /policy '([^']+)' with binding/,
    part: 'admission',
    message: 'the admission policy $1 refuses it',
    next: 'see "kubectl describe validatingadmissionpolicy" of that name, and what its binding names',
  },
  {
    of: 'api-server',
    words: /failed calling webhook "([^"]+)"/,
    part: 'admission',
    message: 'the admission webhook $1 does not answer',
    next: 'see the service behind it; "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations"',
  },
  {
    of: 'api-server',
    words: /admission webhook "([^"]+)" denied/,
    part: 'admission',
    message: 'the admission webhook $1 refuses it',
    next: 'ask those who keep that webhook',
  },
  {
    of: 'api-server',
    words: /violates PodSecurity "([^"]+)"/,
    part: 'admission',
    message: 'Pod Security $1 refuses its pods: the runtime profile or the level of the namespace changed',
    next: 'see the labels of the namespace, and the containers that the message names',
  },
  {
    of: 'api-server',
    words: /(?:no matches for kind|could not find the requested resource)/,
    part: 'controller',
    message: "pinion's definitions are not installed",
    next: 'apply what "pinion install" prints',
  },
  {
    of: 'api-server',
    words: /namespaces "([^"]+)" not found|namespace ([^ ]+) because it is being terminated/,
    part: 'controller',
    message: "the canary's namespace is not there, or ends",
    next: "see the Project of that name, and whether pinion's controller runs",
  },
  {
    of: 'api-server',
    words: /cannot (\w+) resource/,
    part: 'canary',
    message: 'the canary lacks a right: to $1',
    next: 'apply what "pinion canary manifests" prints',
  },
  {
    of: 'submission',
    words: /signature|signed|published by|untrusted-artifact|publisher/i,
    part: 'artifacts',
    message: "the submission service does not trust the canary's artifact",
    next: "see the publishers of the Project's stages, and the key that the canary signs with",
  },
  {
    of: 'submission',
    words: /artifact store|store/i,
    part: 'artifacts',
    message: 'the submission service cannot read the artifact store',
    next: 'see the store, and the rights of the service there',
  },
];

/** Names the part that refused, or gave no answer. */
export function refusalCause({ of, status, message }: FailedCall): CanaryCause {
  for (const { of: whose, words, part, owner = 'platform', message: before, next } of refusals) {
    const found = whose === of ? words.exec(message) : undefined;
    if (found) return { part, owner, message: `${before.replace('$1', found[1] ?? found[2] ?? '')}: ${message}`, next };
  }
  const { part, called, next } = others[of];
  const what = status === 0 ? 'does not answer' : status >= 500 ? 'fails' : 'refuses it';
  return { part, owner: 'platform', message: `${called} ${what}: ${message}`, next };
}

const others: Readonly<Record<FailedCall['of'], { part: CanaryPart; called: string; next: string }>> = {
  'api-server': {
    part: 'api-server',
    called: 'the API server',
    next: 'see "kubectl get --raw /readyz?verbose", and kube-apiserver on the masters',
  },
  submission: {
    part: 'submission',
    called: 'the submission service',
    next: 'see its log: "kubectl logs -n pinion-submission deploy/submission"',
  },
  artifacts: { part: 'artifacts', called: 'the artifact store', next: "see the store, and the canary's rights there" },
  dns: { part: 'dns', called: 'the DNS of the cluster', next: 'see the pods of CoreDNS in kube-system' },
  registrar: {
    part: 'zookeeper',
    called: 'the registrar of the pod',
    next: 'see whether ZooKeeper answers, and the log of container pinion-traffic',
  },
};
