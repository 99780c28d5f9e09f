import { isPlatformContainer, type Diagnosis } from './cause';
import { type ContainerIssue, type PodFacts } from '../observed/pod-facts';

type StartFailureReason =
  'ReferenceNotFound' | 'RunAsNonRootViolation' | 'CommandNotFound' | 'CommandNotExecutable' | 'WrongArchitecture';

/** Diagnosis of one kind of start failure, by its message. */
interface MessagePattern {
  readonly pattern: RegExp;
  readonly diagnose: (
    match: RegExpExecArray,
    namespace: string,
  ) => { readonly reason: StartFailureReason; readonly message: string };
}

/** Returns why a container cannot start: a missing Secret, ConfigMap or key, its user, or its command. */
export function configurationDiagnosis({ name, namespace }: PodFacts, issue: ContainerIssue): Diagnosis {
  const { container, message = '' } = issue;
  const owner = isPlatformContainer(container) ? 'platform' : 'application';
  const subject = `Container ${container} of Pod ${name}`;
  for (const { pattern, diagnose } of messagePatterns) {
    const match = pattern.exec(message);
    if (match) {
      const diagnosis = diagnose(match, namespace);
      return { owner, reason: diagnosis.reason, message: `${subject} ${diagnosis.message}` };
    }
  }
  const detail = message === '' ? '' : `: ${message.replace(/\.$/, '')}`;
  return {
    owner,
    reason: 'ContainerCannotRun',
    message: `${subject} cannot be started${detail}. See \`kubectl describe pod ${name} -n ${namespace}\`.`,
  };
}

const kindNames = { secret: 'Secret', configmap: 'ConfigMap' } as const;

const messagePatterns: readonly MessagePattern[] = [
  {
    pattern: /^(secret|configmap) "([^"]+)" not found/,
    diagnose: ([, kind, object], namespace) => ({
      reason: 'ReferenceNotFound',
      message: `needs the ${kindNames[kind as 'secret' | 'configmap']} ${object ?? ''}, which project ${namespace} does not have. Create it, or mark the reference as optional.`,
    }),
  },
  {
    pattern: /couldn't find key (\S+) in (Secret|ConfigMap) [^/]+\/(\S+)/,
    diagnose: ([, key, kind, object]) => ({
      reason: 'ReferenceNotFound',
      message: `needs the key ${key ?? ''} of the ${kind ?? ''} ${object ?? ''}, which has no such key. Add the key, or reference an existing one.`,
    }),
  },
  {
    pattern: /runAsNonRoot and image will run as root/,
    diagnose: () => ({
      reason: 'RunAsNonRootViolation',
      message:
        'must not run as root, and its image specifies no other user. Set securityContext.runAsUser, or a numeric USER in the image.',
    }),
  },
  {
    pattern: /runAsNonRoot and image has non-numeric user \(([^)]+)\)/,
    diagnose: ([, user]) => ({
      reason: 'RunAsNonRootViolation',
      message: `must not run as root, and Kubernetes cannot verify the user "${user ?? ''}" of its image. Set securityContext.runAsUser, or a numeric USER in the image.`,
    }),
  },
  {
    pattern: /exec: "([^"]+)":? .*(?:executable file not found|no such file or directory)/,
    diagnose: ([, command]) => ({
      reason: 'CommandNotFound',
      message: `cannot be started: its image has no command ${command ?? ''}. Check command and args against the contents of the image.`,
    }),
  },
  {
    pattern: /exec: "([^"]+)":? .*permission denied/,
    diagnose: ([, command]) => ({
      reason: 'CommandNotExecutable',
      message: `cannot be started: it has no permission to execute ${command ?? ''}. Make the file executable in the image, or run it through its interpreter.`,
    }),
  },
  {
    pattern: /exec format error/,
    diagnose: () => ({
      reason: 'WrongArchitecture',
      message:
        'cannot be started: its image is built for a different CPU architecture. Build it for the architecture of the node, or choose a pool that matches the image.',
    }),
  },
];
