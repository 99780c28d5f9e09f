import { type ServerResponse } from 'node:http';
import { type Clock } from '../../kube';

/** Bytes that are joined to one block: few writes, and little memory for each response in flight. */
const blockSize = 256 * 1_024;
/** Milliseconds within which a client must read what was sent; beyond, its connection is closed. */
export const readTimeout = 60_000;

/** Sends parts, joined to blocks, as fast as the client reads; resolves when it has read all but the last bytes, or is gone. */
export async function sendBlocks(response: ServerResponse, parts: Iterable<Buffer>, clock: Clock): Promise<void> {
  let isFirst = true;
  for (const block of blocksOf(parts)) {
    if (!isFirst) await nextTurn();
    isFirst = false;
    if (response.destroyed || response.writableEnded) return;
    response.write(block);
    if (response.writableNeedDrain) await whenRead(response, 'drain', clock);
  }
}

/** Ends a response; resolves when the client has read all of it, or is gone. */
export async function endResponse(response: ServerResponse, clock: Clock): Promise<void> {
  if (response.destroyed) return;
  response.end();
  if (!response.writableFinished) await whenRead(response, 'finish', clock);
}

/** Resolves on an event by which a client has read what was sent, or when it is gone, which one that does not read is in time. */
export function whenRead(response: ServerResponse, event: 'drain' | 'finish', clock: Clock): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(readTimeout, () => response.destroy());
    const finish = (): void => {
      cancel();
      response.off(event, finish).off('close', finish);
      resolve();
    };
    response.on(event, finish).on('close', finish);
  });
}

/**
 * Returns a function to be called after each write to a response that something else sends: from then on, a client that does
 * not read what was written is gone in time.
 */
export function unreadGuard(response: ServerResponse, clock: Clock): () => void {
  let isWaiting = false;
  const wait = async (): Promise<void> => {
    isWaiting = true;
    // Once read, more may be written at once.
    while (!response.destroyed && response.writableNeedDrain) await whenRead(response, 'drain', clock);
    isWaiting = false;
  };
  return () => {
    if (!isWaiting) void wait();
  };
}

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop in which no other response continues: a client that reads fast takes each block at once,
 * so that long lists would otherwise hold up all other requests.
 */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

function* blocksOf(parts: Iterable<Buffer>): Generator<Buffer> {
  let block: Buffer[] = [];
  let size = 0;
  for (const part of parts) {
    block.push(part);
    size += part.length;
    if (size < blockSize) continue;
    yield Buffer.concat(block);
    [block, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(block);
}
