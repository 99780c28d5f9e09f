import { sendBlocks } from '../../../lib/gateway/reads/send-blocks';
import { ManualClock } from '../../kube/manual-clock';

const parts = Array.from({ length: 100 }, () => Buffer.alloc(100 * 1_024));
/** Client that takes each block at once. */
const fastClient = (written: number[]) => ({
  destroyed: false,
  writableEnded: false,
  writableNeedDrain: false,
  write: (block: Buffer) => written.push(block.length),
});

test('a client that takes each block at once holds up no other request', async () => {
  const written: number[] = [];
  let writtenBeforeOthers = 0;
  setImmediate(() => (writtenBeforeOthers = written.length));
  await sendBlocks(fastClient(written) as never, parts, new ManualClock());
  expect(written.reduce((sum, length) => sum + length, 0)).toBe(100 * 100 * 1_024);
  expect(writtenBeforeOthers).toBe(1);
});

test('several such clients take one block in each turn of the event loop', async () => {
  const written: number[] = [];
  const sent = Promise.all(
    Array.from({ length: 10 }, () => sendBlocks(fastClient(written) as never, parts, new ManualClock())),
  );
  // The first blocks are not delayed.
  expect(written).toHaveLength(10);
  for (let turn = 1; turn <= 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(written.length).toBeLessThanOrEqual(10 + turn);
  }
  await sent;
  expect(written.reduce((sum, length) => sum + length, 0)).toBe(10 * 100 * 100 * 1_024);
});
