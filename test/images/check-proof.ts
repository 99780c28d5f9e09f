import { setTimeout as delay } from 'node:timers/promises';
import { type Container, type ContainerHost, type ContainerExit } from './container-host';
import { type ImageProof } from './proofs';

/** Image with its entry point. */
export interface StartedImage {
  readonly name: string;
  readonly entryPoint: readonly string[];
}

/** Timeout for a program to answer or to exit, in milliseconds. */
const timeoutMs = 30_000;

/** Starts an image and checks its proof; returns its cold start in milliseconds, or throws the problem. */
export async function checkProof(host: ContainerHost, image: StartedImage, proof: ImageProof): Promise<number> {
  const begin = performance.now();
  const container = host.run(image.name, { ...proof, command: [...image.entryPoint, ...(proof.args ?? [])] });
  try {
    if ('code' in proof) {
      const ending = await within(container.ended, 'it did not end');
      const time = performance.now() - begin;
      checkEnding(ending, proof.code, proof.prints);
      return time;
    }
    const [first = '', ...others] = Object.keys(proof.answers);
    await untilAnswered(container, first, proof.answers[first] ?? '');
    const time = performance.now() - begin;
    for (const address of others) await untilAnswered(container, address, proof.answers[address] ?? '');
    checkConfinement(container);
    container.kill('SIGTERM');
    checkEnding(await within(container.ended, 'it did not end on SIGTERM'), 0, []);
    return time;
  } finally {
    if (container.isRunning()) container.kill('SIGKILL');
  }
}

function checkEnding({ code, output }: ContainerExit, expected: number, prints: readonly (string | RegExp)[]): void {
  if (code !== expected) throw new Error(`exit code ${code}, expected ${expected}; output:\n${output}`);
  const missing = prints.filter((part) => !holds(output, part));
  if (missing.length > 0) throw new Error(`the output has no ${missing.join(', no ')}:\n${output}`);
}

const holds = (text: string, part: string | RegExp): boolean =>
  typeof part === 'string' ? text.includes(part) : part.test(text);

/** Waits until an address answers with 200 and the expected part in its body. */
async function untilAnswered(container: Container, address: string, part: string | RegExp): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await fetch(address).then(
      async (response) => ({ status: response.status, body: await response.text() }),
      (error: unknown) => ({ status: 0, body: String(error) }),
    );
    if (answer.status === 200 && holds(answer.body, part)) return;
    if (!container.isRunning()) throw new Error(`it ended; output:\n${(await container.ended).output}`);
    if (answer.status === 200 || performance.now() > deadline)
      throw new Error(`${address} answered ${answer.status}:\n${answer.body.slice(0, 2_000)}`);
    await delay(5);
  }
}

/** Checks in the kernel: no root user, no privilege escalation, filtered system calls, read-only root file system. */
function checkConfinement(container: Container): void {
  const status = container.kernelFile('status');
  const field = (name: string): string => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? '';
  const found = {
    users: [...new Set(field('Uid').split('\t'))].join(),
    groups: [...new Set(field('Gid').split('\t'))].join(),
    capabilities: field('CapEff'),
    noNewPrivileges: field('NoNewPrivs'),
    seccomp: field('Seccomp'),
    root: rootMountMode(container.kernelFile('mountinfo')),
  };
  const expected = {
    ...{ users: '65532', groups: '65532', capabilities: '0000000000000000' },
    ...{ noNewPrivileges: '1', seccomp: '2', root: 'ro' },
  };
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`it runs as ${JSON.stringify(found)}`);
}

/** Returns `ro` or `rw`: the sixth field of the line whose fifth, the mount point, is the root. */
const rootMountMode = (mountinfo: string): string | undefined =>
  mountinfo
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, , , , mountPoint]) => mountPoint === '/')?.[5]
    ?.split(',')[0];

async function within<T>(promise: Promise<T>, problem: string): Promise<T> {
  const stop = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`${problem} within ${timeoutMs / 1_000} s`);
  });
  late.catch(() => undefined);
  return Promise.race([promise, late]).finally(() => stop.abort());
}
