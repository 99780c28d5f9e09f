import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type EnvironmentContext, type JestEnvironmentConfig } from '@jest/environment';
import { type Circus } from '@jest/types';
import ProcessEnvironment from '../jest/process-environment';
import { cpuSeconds } from '../jest/cpu-seconds';

/** File to which each suite adds a line with its wall-clock and CPU time in seconds. @default - none */
const timesVariable = 'PINION_SUITE_TIMES';

/** Test environment that exposes a failed test to the hooks of its file, so that they keep logs, and records the time of a suite. */
export default class EndToEndEnvironment extends ProcessEnvironment {
  private readonly start = { cpu: cpuSeconds(), time: Date.now() };
  private readonly suite: string;

  constructor(config: JestEnvironmentConfig, { testPath }: EnvironmentContext) {
    super(config);
    this.suite = relative(config.projectConfig.rootDir, testPath);
  }

  handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent): void {
    const failed = event.name === 'hook_failure' || (event.name === 'test_done' && event.test.errors.length > 0);
    if (failed) this.global['pinionTestFailed'] = true;
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    const file = process.env[timesVariable];
    if (!file) return;
    const seconds = Math.round((Date.now() - this.start.time) / 1000);
    const line = {
      suite: this.suite,
      seconds,
      cpuSeconds: Math.round(cpuSeconds() - this.start.cpu),
    };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}
