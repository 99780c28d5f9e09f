import { sendBlocks } from '../../../lib/gateway/reads/send-blocks';
import { ManualClock } from '../../kube/manual-clock';

test('a client that takes each block at once holds up no other request', async () => {
  const written: number[] = [];
  const response = {
    destroyed: false,
    writableEnded: false,
    writableNeedDrain: false,
    write: (block: Buffer) => written.push(block.length),
  };
  const parts = Array.from({ length: 100 }, () => Buffer.alloc(100 * 1_024));
  let writtenBeforeOthers = 0;
  setImmediate(() => (writtenBeforeOthers = written.length));
  await sendBlocks(response as never, parts, new ManualClock());
  expect(written.reduce((sum, length) => sum + length, 0)).toBe(100 * 100 * 1_024);
  expect(writtenBeforeOthers).toBe(1);
});
