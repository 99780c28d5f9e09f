import { type PodSpec } from '../../api';
import { type ContainerTrouble } from './pod-facts';

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
type Same = (text: string) => string;

/** Waiting reasons of a container that is still starting. */
const starting = new Set(['ContainerCreating', 'PodInitializing']);
/**
 * Termination reasons whose message is the container runtime's; other messages come from the program and may contain
 * anything.
 */
const runtimeReasons = new Set(['StartError', 'ContainerCannotRun', 'CreateContainerError']);
/** Maximum length of a message, in characters. */
const longestMessage = 512;

/** Returns the unhealthy containers of a pod. */
export function containerTroubles(spec: PodSpec, status: PodStatus, same: Same): readonly ContainerTrouble[] {
  const over = status.phase === 'Succeeded' || status.phase === 'Failed';
  const inits = new Map(spec.initContainers?.map((container) => [container.name, container]));
  const images = new Map([...inits.values(), ...spec.containers].map(({ name, image }) => [name, image]));
  const found = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].flatMap((one) => {
    const init = inits.get(one.name);
    const role = !init ? 'app' : init.restartPolicy === 'Always' ? 'sidecar' : 'init';
    // Sidecars are killed once the pod has finished.
    return over && role === 'sidecar' ? [] : troubleOf(one, role, images.get(one.name) ?? one.image, same);
  });
  return found;
}

function troubleOf(
  { name, restartCount = 0, state, lastState }: ContainerStatus,
  role: ContainerTrouble['role'],
  image: string | undefined,
  same: Same,
): ContainerTrouble[] {
  const waiting = state?.waiting?.reason;
  const waits = waiting !== undefined && !starting.has(waiting);
  const ended = state?.terminated ?? lastState?.terminated;
  // A sidecar that is killed as its pod ends has not failed; one that crashes is restarted.
  const failed = role !== 'sidecar' && (state?.terminated?.exitCode ?? 0) !== 0;
  if (!waits && !failed && restartCount === 0) return [];
  const message =
    // The message of a crash loop contains the back-off, which changes each time.
    (waits && waiting !== 'CrashLoopBackOff' ? state?.waiting?.message : undefined) ??
    (runtimeReasons.has(ended?.reason ?? '') ? ended?.message : undefined);
  return [
    {
      container: same(name),
      role,
      restarts: restartCount,
      ...(waits && { waiting: same(waiting) }),
      ...(message !== undefined && { message: same(message.slice(0, longestMessage)) }),
      ...(ended && {
        exit: {
          code: ended.exitCode,
          ...(ended.reason !== undefined && { reason: same(ended.reason) }),
          ...(ended.signal !== undefined && { signal: ended.signal }),
          ...(Date.parse(ended.finishedAt ?? '') > 0 && { at: Date.parse(ended.finishedAt ?? '') }),
        },
      }),
      ...(image !== undefined && { image: same(image) }),
    },
  ];
}

/** Returns the running containers of a pod that are not ready. */
export const unreadyContainers = (status: PodStatus, same: Same): readonly string[] =>
  status.phase !== 'Running'
    ? []
    : [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
        .filter(({ ready, state }) => ready === false && state?.running !== undefined)
        .map(({ name }) => same(name));
