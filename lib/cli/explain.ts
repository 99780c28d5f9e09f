import { exitCodes } from './exit-codes';
import { verb } from './verb';
/** x */
export const explain = verb({ help: '', options: {}, run: () => Promise.resolve(exitCodes.fine) });
