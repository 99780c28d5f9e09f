import { type Circus } from '@jest/types';
import ProcessEnvironment from '../jest/process-environment';

/** Test environment that exposes a failed test to the hooks of its file, so that they keep logs. */
export default class EndToEndEnvironment extends ProcessEnvironment {
  handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent): void {
    const failed = event.name === 'hook_failure' || (event.name === 'test_done' && event.test.errors.length > 0);
    if (failed) this.global['pinionTestFailed'] = true;
  }
}
