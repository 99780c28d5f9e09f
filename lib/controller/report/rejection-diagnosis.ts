import { type Diagnosis } from './cause';
import { parseQuotaMessage, type QuotaMessage } from './quota-message';

/** Rejected object and its namespace. */
export interface RejectedObject {
  /** Description, such as `Pods of Deployment/cart`. */
  readonly what: string;
  readonly namespace: string;
  /** Number of missing objects of this kind. @default - one, or unknown */
  readonly lacking?: number;
}

/** Diagnosis of one kind of rejection, by its message. */
interface Reading {
  readonly form: RegExp;
  readonly diagnosis: (match: RegExpExecArray, refused: RejectedObject, message: string) => Diagnosis;
}

/** Returns the diagnosis of a rejection: quota, limits, Pod Security, policies, or missing references. */
export function rejectionDiagnosis(message: string, refused: RejectedObject): Diagnosis {
  const plain = withoutPreface(message);
  const quota = parseQuotaMessage(plain, refused.lacking);
  if (quota) return quotaDiagnosis(quota, refused);
  for (const { form, diagnosis } of readings) {
    const match = form.exec(plain);
    if (match) return diagnosis(match, refused, plain);
  }
  return {
    owner: 'application',
    reason: 'Rejected',
    message: `${refused.what} are rejected by the API server: ${sentence(plain)} Change the spec so that they are accepted.`,
  };
}

/** Removes the object's name, which is different at each attempt. */
const withoutPreface = (message: string): string =>
  message
    .replace(/^Error creating(?: job)?: /, '')
    .replace(/^create (?:Pod|Claim) .+? failed error: /, '')
    .replace(/^[a-z.]+(?:\.[a-z0-9.]+)? "[^"]*" is forbidden: /, '')
    .trim();

function quotaDiagnosis(
  { quota, shortages }: QuotaMessage,
  { what, namespace, lacking: count = 1 }: RejectedObject,
): Diagnosis {
  const numbers = shortages.map(({ resource, requested, used, limited, missing }) => {
    const lacking = missing === undefined ? '' : `, so ${missing} is missing`;
    const asked =
      count > 1 ? `${requested} is requested by each of the ${count} missing ones` : `${requested} is asked for`;
    return `${resource}: ${asked}, ${used} of ${limited} is used${lacking}`;
  });
  return {
    owner: 'quota',
    reason: 'QuotaExceeded',
    message: `${what} exceed the quota "${quota}" of project ${namespace}: ${numbers.join('; ')}. Raise spec.quota of Project ${namespace}, or lower the replicas or requests of this workload or another one.`,
  };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const readings: readonly Reading[] = [
  {
    form: /failed quota: ([^:]+): must specify (.+)/,
    diagnosis: ([, quota, fields], { what, namespace }) => ({
      owner: 'application',
      reason: 'QuotaRequiresResources',
      message: `${what} say no ${fields ?? 'amounts'}, which the quota "${quota ?? ''}" of project ${namespace} counts. State these resources in the template.`,
    }),
  },
  {
    form: /status unknown for quota: ([^,]+)/,
    diagnosis: ([, quota], { what }) => ({
      owner: 'platform',
      reason: 'QuotaNotReady',
      message: `${what} wait until Kubernetes has counted the quota "${quota ?? ''}". If this lasts for more than a minute, look at the controller manager.`,
    }),
  },
  {
    form: /(?:minimum|maximum) \S+ usage per |max limit to request ratio per /,
    diagnosis: (_, { what, namespace }, message) => ({
      owner: 'application',
      reason: 'LimitRange',
      message: `${what} are outside the limits of project ${namespace}: ${sentence(message.replace(/^\[|\]$/g, ''))} Change the resources of the template, or have spec.maxContainer of Project ${namespace} changed.`,
    }),
  },
  {
    form: /violates PodSecurity "([^"]+)": (.+)/,
    diagnosis: ([, level, what], refused) => ({
      owner: 'application',
      reason: 'PodSecurity',
      message: `${refused.what} violate the Pod Security level ${level ?? ''} of project ${refused.namespace}: ${sentence(what ?? '')} Change the security context of the named containers.`,
    }),
  },
  {
    form: /(?:ValidatingAdmissionPolicy|policy) ['"]([^'"]+)['"](?: with binding '[^']+')? denied request: (.+)/,
    diagnosis: ([, policy, why], { what }) => ({
      owner: 'application',
      reason: 'PolicyDenied',
      message: `${what} are denied by the admission policy ${policy ?? ''}: ${sentence(why ?? '')} Change the spec to what the policy allows, or ask its owners.`,
    }),
  },
  {
    form: /admission webhook "([^"]+)" denied the request(?: without explanation)?:? ?(.*)/,
    diagnosis: ([, webhook, why], { what }) => ({
      owner: 'application',
      reason: 'PolicyDenied',
      message: `${what} are denied by the admission webhook ${webhook ?? ''}: ${sentence(why || 'it gives no explanation')} Change the spec to what it allows, or ask its owners.`,
    }),
  },
  {
    form: /failed calling webhook "([^"]+)"/,
    diagnosis: ([, webhook], { what }) => ({
      owner: 'platform',
      reason: 'WebhookUnavailable',
      message: `${what} cannot be created because the admission webhook ${webhook ?? ''} does not respond. Restore the webhook, or set its failurePolicy to Ignore.`,
    }),
  },
  {
    form: /error looking up service account [^/]+\/([^:]+):/,
    diagnosis: ([, account], { what, namespace }) => ({
      owner: 'application',
      reason: 'ServiceAccountNotFound',
      message: `${what} name the service account ${account ?? ''}, which project ${namespace} does not have. Create it, or name another one.`,
    }),
  },
  {
    form: /no PriorityClass with name (\S+) was found/,
    diagnosis: ([, name], { what }) => ({
      owner: 'platform',
      reason: 'PriorityClassNotFound',
      message: `${what} name the PriorityClass ${name ?? ''}, which the cluster does not have. The controller creates those of the Platform: check the status of Platform cluster.`,
    }),
  },
  {
    form: /RuntimeClass "([^"]+)" not found/,
    diagnosis: ([, name], { what }) => ({
      owner: 'platform',
      reason: 'RuntimeClassNotFound',
      message: `${what} name the RuntimeClass ${name ?? ''}, which the cluster does not have. Create it, or leave runtimeClassName out.`,
    }),
  },
  {
    form: /because it is being terminated/,
    diagnosis: (_, { what, namespace }) => ({
      owner: 'platform',
      reason: 'NamespaceTerminating',
      message: `${what} cannot be created, because the namespace ${namespace} is being deleted. Move the workload to another project, or recreate the Project once the namespace is gone.`,
    }),
  },
];
