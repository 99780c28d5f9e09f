import { type PodSpec } from '../../api';
import { type ContainerIssue } from './pod-facts';

/** The fields of a pod's status that are read. */
export interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly image?: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: object;
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason?: string;
    readonly signal?: number;
    readonly message?: string;
    readonly finishedAt?: string | null;
  };
}

/** Interns a string. */
type Intern = (text: string) => string;

/** Waiting reasons of a container that is still starting. */
const startingReasons = new Set(['ContainerCreating', 'PodInitializing']);
/**
 * Termination reasons whose message is the container runtime's; other messages come from the program and may contain
 * anything.
 */
const runtimeReasons = new Set(['StartError', 'ContainerCannotRun', 'CreateContainerError']);
/** Maximum length of a message, in characters. */
const maxMessageLength = 512;

/** Returns the unhealthy containers of a pod. */
export function containerIssues(spec: PodSpec, status: PodStatus, intern: Intern): readonly ContainerIssue[] {
  const podFinished = status.phase === 'Succeeded' || status.phase === 'Failed';
  const inits = new Map(spec.initContainers?.map((container) => [container.name, container]));
  const images = new Map([...inits.values(), ...spec.containers].map(({ name, image }) => [name, image]));
  const issues = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].flatMap(
    (containerStatus) => {
      const init = inits.get(containerStatus.name);
      const role = !init ? 'app' : init.restartPolicy === 'Always' ? 'sidecar' : 'init';
      // Sidecars are killed once the pod has finished.
      return podFinished && role === 'sidecar'
        ? []
        : issueOf(containerStatus, role, images.get(containerStatus.name) ?? containerStatus.image, intern);
    },
  );
  return issues;
}

function issueOf(
  { name, restartCount = 0, state, lastState }: ContainerStatus,
  role: ContainerIssue['role'],
  image: string | undefined,
  intern: Intern,
): ContainerIssue[] {
  const waiting = state?.waiting?.reason;
  const isWaiting = waiting !== undefined && !startingReasons.has(waiting);
  const termination = state?.terminated ?? lastState?.terminated;
  // A sidecar that is killed as its pod ends has not failed; one that crashes is restarted.
  const failed = role !== 'sidecar' && (state?.terminated?.exitCode ?? 0) !== 0;
  if (!isWaiting && !failed && restartCount === 0) return [];
  const message =
    // The message of a crash loop contains the back-off, which changes each time.
    (isWaiting && waiting !== 'CrashLoopBackOff' ? state?.waiting?.message : undefined) ??
    (runtimeReasons.has(termination?.reason ?? '') ? termination?.message : undefined);
  return [
    {
      container: intern(name),
      role,
      restarts: restartCount,
      ...(isWaiting && { waiting: intern(waiting) }),
      ...(message !== undefined && { message: intern(message.slice(0, maxMessageLength)) }),
      ...(termination && {
        exit: {
          code: termination.exitCode,
          ...(termination.reason !== undefined && { reason: intern(termination.reason) }),
          ...(termination.signal !== undefined && { signal: termination.signal }),
          ...(Date.parse(termination.finishedAt ?? '') > 0 && { at: Date.parse(termination.finishedAt ?? '') }),
        },
      }),
      ...(image !== undefined && { image: intern(image) }),
    },
  ];
}

/** Returns the running containers of a pod that are not ready. */
export const unreadyContainers = (status: PodStatus, intern: Intern): readonly string[] =>
  status.phase !== 'Running'
    ? []
    : [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
        .filter(({ ready, state }) => ready === false && state?.running !== undefined)
        .map(({ name }) => intern(name));
