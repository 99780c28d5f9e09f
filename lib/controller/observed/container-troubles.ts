import { type PodSpec } from '../../api';
import { type ContainerTrouble } from './pod-facts';

/** Status of a pod, as far as it is read. */
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

/** Makes equal texts one. */
type Same = (text: string) => string;

/** A container that waits for one of these is merely starting. */
const starting = new Set(['ContainerCreating', 'PodInitializing']);
/** Terminations with a message of the container runtime; other messages are the program's own and may say anything. */
const toldByRuntime = new Set(['StartError', 'ContainerCannotRun', 'CreateContainerError']);
/** Maximum length of a message, in characters. */
const longestMessage = 512;

/** The containers of a pod that are not well. */
export function containerTroubles(spec: PodSpec, status: PodStatus, same: Same): readonly ContainerTrouble[] {
  const over = status.phase === 'Succeeded' || status.phase === 'Failed';
  const inits = new Map(spec.initContainers?.map((container) => [container.name, container]));
  const images = new Map([...inits.values(), ...spec.containers].map(({ name, image }) => [name, image]));
  const found = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].flatMap((one) => {
    const init = inits.get(one.name);
    const role = !init ? 'app' : init.restartPolicy === 'Always' ? 'sidecar' : 'init';
    // Sidecars are ended by force once the pod is over.
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
  // A sidecar that is ended by force as its pod ends has not failed; one that crashes is started again.
  const failed = role !== 'sidecar' && (state?.terminated?.exitCode ?? 0) !== 0;
  if (!waits && !failed && restartCount === 0) return [];
  const message =
    // Of a crash loop it says the pause, which is another each time.
    (waits && waiting !== 'CrashLoopBackOff' ? state?.waiting?.message : undefined) ??
    (toldByRuntime.has(ended?.reason ?? '') ? ended?.message : undefined);
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

/** The containers of a pod that run and are not ready. */
export const unreadyContainers = (status: PodStatus, same: Same): readonly string[] =>
  status.phase !== 'Running'
    ? []
    : [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
        .filter(({ ready, state }) => ready === false && state?.running !== undefined)
        .map(({ name }) => same(name));
