import { type Circus } from '@jest/types';
import ProcessEnvironment from '../jest/process-environment';

/** The environment of the other suites, which also tells the file's own hooks whether a test has failed: they then keep logs. */
export default class EndToEndEnvironment extends ProcessEnvironment {
  handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent): void {
    const failed = event.name === 'hook_failure' || (event.name === 'test_done' && event.test.errors.length > 0);
    if (failed) this.global['pinionTestFailed'] = true;
  }
}
