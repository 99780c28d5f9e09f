import { isOfPlatform, type FindingSeverity, type Diagnosis } from './cause';
import { configurationDiagnosis } from './configuration-diagnosis';
import { imageDiagnosis, isImageTrouble } from './image-diagnosis';
import { type ContainerTrouble, type PodFacts } from '../observed/pod-facts';

/** Diagnosis of a container that keeps its pod from being ready. */
export type ContainerDiagnosis = Diagnosis & { readonly severity: FindingSeverity };

/** Milliseconds after which Kubernetes resets the crash back-off of a running container. */
export const crashResetAfter = 10 * 60_000;

const configuring = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'PreCreateHookError',
  'PreStartHookError',
  'PostStartHookError',
]);

/** Returns the diagnosis of a container, in the order of its lifecycle: image, configuration, run. */
export function containerDiagnosis(
  pod: PodFacts,
  trouble: ContainerTrouble,
  now: number,
): ContainerDiagnosis | undefined {
  const { waiting } = trouble;
  if (waiting !== undefined && isImageTrouble(waiting)) return { severity: 'image', ...imageDiagnosis(pod, trouble) };
  const startError = trouble.exit?.reason === 'StartError' || trouble.exit?.reason === 'ContainerCannotRun';
  if ((waiting !== undefined && configuring.has(waiting)) || startError) {
    return { severity: 'configuration', ...configurationDiagnosis(pod, trouble) };
  }
  if (trouble.exit && isCrashing(pod, trouble, trouble.exit, now)) return crashDiagnosis(pod, trouble, trouble.exit);
  return waiting === undefined ? undefined : waitingDiagnosis(pod, trouble, waiting);
}

type Exit = NonNullable<ContainerTrouble['exit']>;

/** Returns whether a container is crashing: it is in back-off, terminated by the crash, or restarted only recently. */
function isCrashing(
  { phase }: PodFacts,
  { waiting, role, restarts }: ContainerTrouble,
  { code, at }: Exit,
  now: number,
): boolean {
  if (waiting !== undefined) return true;
  if (phase === 'Failed') return code !== 0;
  const recently = at === undefined || now - at < crashResetAfter;
  return recently && (code !== 0 || (role !== 'init' && restarts > 0));
}

function crashDiagnosis(pod: PodFacts, trouble: ContainerTrouble, exit: Exit): ContainerDiagnosis {
  const { container, role } = trouble;
  const ofPlatform = isOfPlatform(container);
  const severity = ({ init: 'init-crash', sidecar: 'sidecar-crash', app: 'app-crash' } as const)[role];
  const what = `${titleOf(trouble)} of Pod ${pod.name}`;
  const reason = exit.reason === 'OOMKilled' ? 'OOMKilled' : crashReasons[role];
  const { story, advice } = endOf(exit, logsOf(pod, trouble));
  const next = ofPlatform
    ? `The container comes with the runtime profile: contact the platform team, and include ${logsOf(pod, trouble)}.`
    : advice;
  return {
    severity,
    owner: ofPlatform ? 'platform' : 'application',
    reason,
    message: `${what} ${story}. ${next}`,
  };
}

const crashReasons = { init: 'InitCrashLoop', sidecar: 'SidecarCrashLoop', app: 'AppCrashLoop' } as const;

const titles = { app: 'Container', init: 'Init container', sidecar: 'Sidecar' } as const;

const titleOf = ({ container, role }: ContainerTrouble): string => {
  const title = `${titles[role]} ${container}`;
  return isOfPlatform(container) ? `${title} (of the platform)` : title;
};

/** Returns the command that shows a container's last logs. */
function logsOf({ name, namespace, phase }: PodFacts, { container, waiting }: ContainerTrouble): string {
  const previous = phase === 'Failed' || (waiting === undefined && phase !== 'Running') ? '' : ' --previous';
  return `\`kubectl logs ${name} -n ${namespace} -c ${container}${previous}\``;
}

/** Describes how a container terminated, and what to do about it. */
function endOf({ code, reason, signal }: Exit, logs: string): { readonly story: string; readonly advice: string } {
  if (reason === 'OOMKilled') {
    return {
      story: 'was killed because it used more memory than its limit',
      advice: `Raise its memory limit, or reduce its memory use; ${logs} shows what it did.`,
    };
  }
  const known = ends[code];
  if (known) return { story: known.story, advice: known.advice(logs) };
  if (signal !== undefined || code > 128) {
    return { story: `was terminated by signal ${signal ?? code - 128}`, advice: `Look at ${logs}.` };
  }
  return { story: `ended with exit code ${code}`, advice: `Check its output: ${logs}.` };
}

const ends: Readonly<Record<number, { readonly story: string; readonly advice: (logs: string) => string }>> = {
  0: {
    story: 'ended with exit code 0 though it should keep running',
    advice: (logs) =>
      `Keep its command in the foreground, or use a kind that runs to completion; ${logs} shows what it did.`,
  },
  126: {
    story: 'ended with exit code 126: its command exists but cannot be executed',
    advice: (logs) => `Check the command and its permissions in the image; see ${logs}.`,
  },
  127: {
    story: 'ended with exit code 127: its command is not in the image',
    advice: (logs) => `Check command and args against the contents of the image; see ${logs}.`,
  },
  134: {
    story: 'aborted (signal 6)',
    advice: (logs) => `An assertion failed or memory was corrupted; look at ${logs}.`,
  },
  137: {
    story: 'was killed (exit code 137)',
    advice: (logs) =>
      `Its liveness probe failed, it took longer to end than the grace period, or its node was out of memory; look at ${logs} and at the events of the pod.`,
  },
  139: {
    story: 'crashed with a segmentation fault (signal 11)',
    advice: (logs) => `Look at ${logs}, and at the native code that it loads.`,
  },
  143: {
    story: 'was asked to terminate (exit code 143)',
    advice: (logs) =>
      `Its liveness or startup probe failed: give it more time to start, or see why it hangs with ${logs}.`,
  },
};

function waitingDiagnosis(pod: PodFacts, trouble: ContainerTrouble, waiting: string): ContainerDiagnosis {
  const ofPlatform = isOfPlatform(trouble.container);
  const { message } = trouble;
  const why = message === undefined ? waiting : `${waiting}: ${message.replace(/\.$/, '')}`;
  return {
    severity: ({ init: 'init-crash', sidecar: 'sidecar-crash', app: 'app-crash' } as const)[trouble.role],
    owner: ofPlatform ? 'platform' : 'application',
    reason: waiting === 'CrashLoopBackOff' ? crashReasons[trouble.role] : 'ContainerWaiting',
    message: `${titleOf(trouble)} of Pod ${pod.name} does not run (${why}). See \`kubectl describe pod ${pod.name} -n ${pod.namespace}\`.`,
  };
}
