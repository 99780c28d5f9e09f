import { isPlatformContainer, type FindingSeverity, type Diagnosis } from './cause';
import { configurationDiagnosis } from './configuration-diagnosis';
import { imageDiagnosis, isImageIssue } from './image-diagnosis';
import { type ContainerIssue, type PodFacts } from '../observed/pod-facts';

/** Diagnosis of a container that keeps its pod from being ready. */
export type ContainerDiagnosis = Diagnosis & { readonly severity: FindingSeverity };

/** Milliseconds after which Kubernetes resets the crash back-off of a running container. */
export const crashResetAfter = 10 * 60_000;

const configurationReasons = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'PreCreateHookError',
  'PreStartHookError',
  'PostStartHookError',
]);

/** Returns the diagnosis of a container, in the order of its lifecycle: image, configuration, run. */
export function containerDiagnosis(pod: PodFacts, issue: ContainerIssue, now: number): ContainerDiagnosis | undefined {
  const { waiting } = issue;
  if (waiting !== undefined && isImageIssue(waiting)) return { severity: 'image', ...imageDiagnosis(pod, issue) };
  const startError = issue.exit?.reason === 'StartError' || issue.exit?.reason === 'ContainerCannotRun';
  if ((waiting !== undefined && configurationReasons.has(waiting)) || startError) {
    return { severity: 'configuration', ...configurationDiagnosis(pod, issue) };
  }
  if (issue.exit && isCrashing(pod, issue, issue.exit, now)) return crashDiagnosis(pod, issue, issue.exit);
  return waiting === undefined ? undefined : waitingDiagnosis(pod, issue, waiting);
}

type Exit = NonNullable<ContainerIssue['exit']>;

/** Returns whether a container is crashing: it is in back-off, terminated by the crash, or restarted only recently. */
function isCrashing(
  { phase }: PodFacts,
  { waiting, role, restarts }: ContainerIssue,
  { code, at }: Exit,
  now: number,
): boolean {
  if (waiting !== undefined) return true;
  if (phase === 'Failed') return code !== 0;
  const recently = at === undefined || now - at < crashResetAfter;
  return recently && (code !== 0 || (role !== 'init' && restarts > 0));
}

function crashDiagnosis(pod: PodFacts, issue: ContainerIssue, exit: Exit): ContainerDiagnosis {
  const { container, role } = issue;
  const isPlatform = isPlatformContainer(container);
  const severity = ({ init: 'init-crash', sidecar: 'sidecar-crash', app: 'app-crash' } as const)[role];
  const subject = `${titleOf(issue)} of Pod ${pod.name}`;
  const reason = exit.reason === 'OOMKilled' ? 'OOMKilled' : crashReasons[role];
  const { description, advice } = describeExit(exit, logsOf(pod, issue));
  const remedy = isPlatform
    ? `The container comes with the runtime profile: contact the platform team, and include ${logsOf(pod, issue)}.`
    : advice;
  return {
    severity,
    owner: isPlatform ? 'platform' : 'application',
    reason,
    message: `${subject} ${description}. ${remedy}`,
  };
}

const crashReasons = { init: 'InitCrashLoop', sidecar: 'SidecarCrashLoop', app: 'AppCrashLoop' } as const;

const titles = { app: 'Container', init: 'Init container', sidecar: 'Sidecar' } as const;

const titleOf = ({ container, role }: ContainerIssue): string => {
  const title = `${titles[role]} ${container}`;
  return isPlatformContainer(container) ? `${title} (of the platform)` : title;
};

/** Returns the command that shows a container's last logs. */
function logsOf({ name, namespace, phase }: PodFacts, { container, waiting }: ContainerIssue): string {
  const previous = phase === 'Failed' || (waiting === undefined && phase !== 'Running') ? '' : ' --previous';
  return `\`kubectl logs ${name} -n ${namespace} -c ${container}${previous}\``;
}

/** Describes how a container terminated, and what to do about it. */
function describeExit(
  { code, reason, signal }: Exit,
  logs: string,
): { readonly description: string; readonly advice: string } {
  if (reason === 'OOMKilled') {
    return {
      description: 'was killed because it used more memory than its limit',
      advice: `Raise its memory limit, or reduce its memory use; ${logs} shows what it did.`,
    };
  }
  const knownExit = knownExitCodes[code];
  if (knownExit) return { description: knownExit.description, advice: knownExit.advice(logs) };
  if (signal !== undefined || code > 128) {
    return { description: `was terminated by signal ${signal ?? code - 128}`, advice: `Check ${logs}.` };
  }
  return { description: `exited with code ${code}`, advice: `Check its output: ${logs}.` };
}

const knownExitCodes: Readonly<
  Record<number, { readonly description: string; readonly advice: (logs: string) => string }>
> = {
  0: {
    description: 'exited with code 0 but should keep running',
    advice: (logs) =>
      `Keep its command in the foreground, or use a kind that runs to completion; ${logs} shows what it did.`,
  },
  126: {
    description: 'exited with code 126: its command exists but cannot be executed',
    advice: (logs) => `Check the command and its permissions in the image; see ${logs}.`,
  },
  127: {
    description: 'exited with code 127: its command is not in the image',
    advice: (logs) => `Check command and args against the contents of the image; see ${logs}.`,
  },
  134: {
    description: 'aborted (signal 6)',
    advice: (logs) => `An assertion failed or memory was corrupted; check ${logs}.`,
  },
  137: {
    description: 'was killed (exit code 137)',
    advice: (logs) =>
      `Its liveness probe failed, it did not stop within the grace period, or its node was out of memory; check ${logs} and the events of the pod.`,
  },
  139: {
    description: 'crashed with a segmentation fault (signal 11)',
    advice: (logs) => `Check ${logs}, and the native code that it loads.`,
  },
  143: {
    description: 'was terminated by SIGTERM (exit code 143)',
    advice: (logs) =>
      `Its liveness or startup probe failed: give it more time to start, or check ${logs} for why it hangs.`,
  },
};

function waitingDiagnosis(pod: PodFacts, issue: ContainerIssue, waiting: string): ContainerDiagnosis {
  const isPlatform = isPlatformContainer(issue.container);
  const { message } = issue;
  const detail = message === undefined ? waiting : `${waiting}: ${message.replace(/\.$/, '')}`;
  return {
    severity: ({ init: 'init-crash', sidecar: 'sidecar-crash', app: 'app-crash' } as const)[issue.role],
    owner: isPlatform ? 'platform' : 'application',
    reason: waiting === 'CrashLoopBackOff' ? crashReasons[issue.role] : 'ContainerWaiting',
    message: `${titleOf(issue)} of Pod ${pod.name} does not run (${detail}). See \`kubectl describe pod ${pod.name} -n ${pod.namespace}\`.`,
  };
}
