import { isOwnPolicy } from '../../expand';
import { type Diagnosis } from './cause';
import { parseQuotaMessage, type QuotaMessage } from './quota-message';

/** Rejected object and its namespace. */
export interface RejectedObject {
  /** Description, such as `Pods of Deployment/cart`. */
  readonly what: string;
  readonly namespace: string;
  /** Number of missing objects of this kind. @default - one, or unknown */
  readonly missingObjects?: number;
}

/** Diagnosis of one kind of rejection, by its message. */
interface MessagePattern {
  readonly pattern: RegExp;
  readonly diagnosis: (match: RegExpExecArray, rejected: RejectedObject, message: string) => Diagnosis;
}

/** Returns the diagnosis of a rejection: quota, limits, Pod Security, policies, or missing references. */
export function rejectionDiagnosis(message: string, rejected: RejectedObject): Diagnosis {
  const reasonText = withoutPreface(message);
  const quota = parseQuotaMessage(reasonText, rejected.missingObjects);
  if (quota) return quotaDiagnosis(quota, rejected);
  for (const { pattern, diagnosis } of messagePatterns) {
    const match = pattern.exec(reasonText);
    if (match) return diagnosis(match, rejected, reasonText);
  }
  return {
    owner: 'application',
    reason: 'Rejected',
    message: `${rejected.what} are rejected by the API server: ${sentence(reasonText)} Change the spec so that they are accepted.`,
  };
}

/** Removes the object's name, which differs on each attempt. */
const withoutPreface = (message: string): string =>
  message
    .replace(/^Error creating(?: job)?: /, '')
    .replace(/^create (?:Pod|Claim) .+? failed error: /, '')
    .replace(/^[a-z.]+(?:\.[a-z0-9.]+)? "[^"]*" is forbidden: /, '')
    .trim();

function quotaDiagnosis(
  { quota, shortages }: QuotaMessage,
  { what, namespace, missingObjects: count = 1 }: RejectedObject,
): Diagnosis {
  const numbers = shortages.map(({ resource, requested, used, limited, missing }) => {
    const shortage = missing === undefined ? '' : `, so ${missing} more is needed`;
    const request =
      count > 1 ? `${requested} is requested by each of the ${count} missing ones` : `${requested} is requested`;
    return `${resource}: ${request}, ${used} of ${limited} is used${shortage}`;
  });
  return {
    owner: 'quota',
    reason: 'QuotaExceeded',
    message: `${what} exceed the quota "${quota}" of project ${namespace}: ${numbers.join('; ')}. Raise spec.quota of Project ${namespace}, or lower the replicas or requests of this workload or another one.`,
  };
}

const serverDiagnosis: MessagePattern['diagnosis'] = (_, { what }, message) => ({
  owner: 'platform',
  reason: 'APIServerError',
  message: `The API server did not accept ${what}: ${sentence(message)} It is tried again; if this persists, check the API server.`,
});

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const messagePatterns: readonly MessagePattern[] = [
  {
    pattern: /failed quota: ([^:]+): must specify (.+)/,
    diagnosis: ([, quota, fields], { what, namespace }) => ({
      owner: 'application',
      reason: 'QuotaRequiresResources',
      message: `${what} do not set ${fields ?? 'resources'}, which the quota "${quota ?? ''}" of project ${namespace} requires. Set these resources in the template.`,
    }),
  },
  {
    pattern: /status unknown for quota: ([^,]+)/,
    diagnosis: ([, quota], { what }) => ({
      owner: 'platform',
      reason: 'QuotaNotReady',
      message: `${what} wait until Kubernetes has calculated the usage of the quota "${quota ?? ''}". If this lasts for more than a minute, check the controller manager.`,
    }),
  },
  {
    // Pods that are created at the same time count against the same quota.
    pattern: /Operation cannot be fulfilled on resourcequotas "([^"]+)"/,
    diagnosis: ([, quota], { what, namespace }) => ({
      owner: 'platform',
      reason: 'QuotaNotReady',
      message: `${what} wait for the quota "${quota ?? ''}" of project ${namespace}, which other objects changed at the same time; Kubernetes retries. If this lasts for more than a minute, check the controller manager.`,
    }),
  },
  {
    pattern: /(?:minimum|maximum) \S+ usage per |max limit to request ratio per /,
    diagnosis: (_, { what, namespace }, message) => ({
      owner: 'application',
      reason: 'LimitRange',
      message: `${what} are outside the limits of project ${namespace}: ${sentence(message.replace(/^\[|\]$/g, ''))} Change the resources of the template, or ask for a change of spec.maxContainer of Project ${namespace}.`,
    }),
  },
  {
    pattern: /violates PodSecurity "([^"]+)": (.+)/,
    diagnosis: ([, level, what], rejected) => ({
      owner: 'application',
      reason: 'PodSecurity',
      message: `${rejected.what} violate the Pod Security level ${level ?? ''} of project ${rejected.namespace}: ${sentence(what ?? '')} Change the security context of the named containers.`,
    }),
  },
  {
    // A server that has just started does not know the parameters of policies yet.
    pattern: /denied request: failed to configure (?:policy|binding): /,
    diagnosis: serverDiagnosis,
  },
  {
    pattern: /(?:ValidatingAdmissionPolicy|policy) ['"]([^'"]+)['"](?: with binding '[^']+')? denied request: (.+)/,
    diagnosis: ([, policy = '', detail], { what }) => ({
      owner: 'application',
      reason: 'PolicyDenied',
      // The messages of pinion's own policies end with their remedy, which may be no change of the spec.
      message: `${what} are denied by the admission policy ${policy}: ${sentence(detail ?? '')}${isOwnPolicy(policy) ? '' : ' Change the spec to comply with the policy, or contact its owners.'}`,
    }),
  },
  {
    pattern: /admission webhook "([^"]+)" denied the request(?: without explanation)?:? ?(.*)/,
    diagnosis: ([, webhook, detail], { what }) => ({
      owner: 'application',
      reason: 'PolicyDenied',
      message: `${what} are denied by the admission webhook ${webhook ?? ''}: ${sentence(detail || 'it gave no reason')} Change the spec to comply with it, or contact its owners.`,
    }),
  },
  {
    pattern: /failed calling webhook "([^"]+)"/,
    diagnosis: ([, webhook], { what }) => ({
      owner: 'platform',
      reason: 'WebhookUnavailable',
      message: `${what} cannot be created because the admission webhook ${webhook ?? ''} does not respond. Restore the webhook, or set its failurePolicy to Ignore.`,
    }),
  },
  {
    // The last one is of a server that has not read its roles yet.
    pattern:
      /^etcdserver: |^Internal error occurred: |^[A-Z][a-z]+ "https?:|context deadline exceeded|currently unable to handle the request|Operation cannot be fulfilled on |User "system:[^"]+" cannot [a-z]+ resource /,
    diagnosis: serverDiagnosis,
  },
  {
    pattern: /error looking up service account [^/]+\/([^:]+):/,
    diagnosis: ([, account], { what, namespace }) => ({
      owner: 'application',
      reason: 'ServiceAccountNotFound',
      message: `${what} use the service account ${account ?? ''}, which does not exist in project ${namespace}. Create it, or use another one.`,
    }),
  },
  {
    pattern: /no PriorityClass with name (\S+) was found/,
    diagnosis: ([, name], { what }) => ({
      owner: 'platform',
      reason: 'PriorityClassNotFound',
      message: `${what} use the PriorityClass ${name ?? ''}, which does not exist in the cluster. The controller creates those of the Platform: check the status of Platform cluster.`,
    }),
  },
  {
    pattern: /RuntimeClass "([^"]+)" not found/,
    diagnosis: ([, name], { what }) => ({
      owner: 'platform',
      reason: 'RuntimeClassNotFound',
      message: `${what} use the RuntimeClass ${name ?? ''}, which does not exist in the cluster. Create it, or omit runtimeClassName.`,
    }),
  },
  {
    pattern: /because it is being terminated/,
    diagnosis: (_, { what, namespace }) => ({
      owner: 'platform',
      reason: 'NamespaceTerminating',
      message: `${what} cannot be created, because the namespace ${namespace} is being deleted. Move the workload to another project, or recreate the Project once the namespace is gone.`,
    }),
  },
];
