import { isOfPlatform, type Diagnosis } from './cause';
import { type ContainerTrouble, type PodFacts } from '../observed/pod-facts';

type Fault =
  'ReferenceNotFound' | 'RunAsNonRootViolation' | 'CommandNotFound' | 'CommandNotExecutable' | 'WrongArchitecture';

/** How one way of not being startable is known, and what to do about it. */
interface Reading {
  readonly form: RegExp;
  readonly told: (match: RegExpExecArray, namespace: string) => { readonly reason: Fault; readonly message: string };
}

/** Why a container cannot be started: a Secret, ConfigMap or key that is missing, its user, or its command. */
export function configurationDiagnosis({ name, namespace }: PodFacts, trouble: ContainerTrouble): Diagnosis {
  const { container, message = '' } = trouble;
  const owner = isOfPlatform(container) ? 'platform' : 'application';
  const subject = `Container ${container} of Pod ${name}`;
  for (const { form, told } of readings) {
    const match = form.exec(message);
    if (match) {
      const diagnosis = told(match, namespace);
      return { owner, reason: diagnosis.reason, message: `${subject} ${diagnosis.message}` };
    }
  }
  const why = message === '' ? '' : `: ${message.replace(/\.$/, '')}`;
  return {
    owner,
    reason: 'ContainerCannotRun',
    message: `${subject} cannot be started${why}. See \`kubectl describe pod ${name} -n ${namespace}\`.`,
  };
}

const kindNames = { secret: 'Secret', configmap: 'ConfigMap' } as const;

const readings: readonly Reading[] = [
  {
    form: /^(secret|configmap) "([^"]+)" not found/,
    told: ([, kind, object], namespace) => ({
      reason: 'ReferenceNotFound',
      message: `needs the ${kindNames[kind as 'secret' | 'configmap']} ${object ?? ''}, which project ${namespace} does not have. Create it, or mark the reference as optional.`,
    }),
  },
  {
    form: /couldn't find key (\S+) in (Secret|ConfigMap) [^/]+\/(\S+)/,
    told: ([, key, kind, object]) => ({
      reason: 'ReferenceNotFound',
      message: `needs the key ${key ?? ''} of the ${kind ?? ''} ${object ?? ''}, which has no such key. Add the key, or name one that it has.`,
    }),
  },
  {
    form: /runAsNonRoot and image will run as root/,
    told: () => ({
      reason: 'RunAsNonRootViolation',
      message:
        'may not run as root, and its image says no other user. Set securityContext.runAsUser, or a USER by number in the image.',
    }),
  },
  {
    form: /runAsNonRoot and image has non-numeric user \(([^)]+)\)/,
    told: ([, user]) => ({
      reason: 'RunAsNonRootViolation',
      message: `may not run as root, and Kubernetes cannot tell whether the user "${user ?? ''}" of its image is. Set securityContext.runAsUser, or a USER by number in the image.`,
    }),
  },
  {
    form: /exec: "([^"]+)":? .*(?:executable file not found|no such file or directory)/,
    told: ([, command]) => ({
      reason: 'CommandNotFound',
      message: `cannot be started: its image has no command ${command ?? ''}. Check command and args against what the image holds.`,
    }),
  },
  {
    form: /exec: "([^"]+)":? .*permission denied/,
    told: ([, command]) => ({
      reason: 'CommandNotExecutable',
      message: `cannot be started: it may not execute ${command ?? ''}. Make the file executable in the image, or run it through its interpreter.`,
    }),
  },
  {
    form: /exec format error/,
    told: () => ({
      reason: 'WrongArchitecture',
      message:
        'cannot be started: its image is built for another processor than that of the node. Build it for this one, or choose a pool of the other.',
    }),
  },
];
