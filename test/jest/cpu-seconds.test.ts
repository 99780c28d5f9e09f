import { spawnSync } from 'node:child_process';
import { cpuSeconds } from './cpu-seconds';

const busy = 'for (const end = process.cpuUsage().user + 3e5; process.cpuUsage().user < end; );';

(process.platform === 'linux' ? test : test.skip)('counts the CPU time of ended children', () => {
  const before = cpuSeconds();
  spawnSync(process.execPath, ['-e', busy]);
  expect(cpuSeconds() - before).toBeGreaterThanOrEqual(0.2);
});
