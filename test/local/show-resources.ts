import { type ManifestInput } from '../../lib/api';
import { expectStatus } from '../control-plane/api-response';
import { type Client, type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { isSettled, type AppliedResource, statusTable } from './status-table';

const isWatched = process.stdout.isTTY;

/** Prints a line for the user. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Applies manifests; a namespace exists a moment after its Project. */
export async function applyAll(
  client: Client,
  documents: readonly ManifestInput[],
  signal: AbortSignal,
): Promise<void> {
  for (const document of documents) {
    if (signal.aborted) return;
    await waitFor(`the namespace of ${document.kind} ${document.metadata.name}`, async () => {
      const response = await client.apply(document as SendableObject);
      if (response.status === 404 || response.status === 403) return undefined;
      return expectStatus(response, [200, 201]);
    });
  }
}

/** Interval in milliseconds at which pending resources are logged without a terminal. */
const logIntervalMs = 30_000;

/** Shows resources until all of them are ready. */
export async function watchResources(
  client: Client,
  documents: readonly ManifestInput[],
  signal: AbortSignal,
  isReady: (observed: AppliedResource) => boolean = (observed) => isSettled(observed),
): Promise<void> {
  let shown = '';
  let lines = 0;
  let lastLogged = Date.now();
  for (;;) {
    const observed = await Promise.all(
      documents.map(async (document): Promise<AppliedResource> => {
        const { status, body } = await client.get(document as SendableObject);
        return { document, live: status === 200 ? (body as AppliedResource['live']) : undefined };
      }),
    );
    const text = statusTable(observed);
    const waiting = observed.filter((one) => !isReady(one));
    if (!isWatched && waiting.length > 0 && Date.now() - lastLogged > logIntervalMs) {
      process.stdout.write(`Still waiting for:\n${statusTable(waiting)}`);
      lastLogged = Date.now();
    }
    if (text !== shown && (isWatched || waiting.length === 0)) {
      if (isWatched && lines > 0) process.stdout.write(`\u001b[${lines}A\u001b[J`);
      process.stdout.write(text);
      lines = text.split('\n').length - 1;
      shown = text;
    }
    if (signal.aborted || waiting.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Resolves once the user interrupts. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
