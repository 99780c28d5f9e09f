/** Clock, delays, back-off, log, listening, usage and error texts, and line splitting of a process. */
export { monotonicClock, systemClock, type Clock } from './clock';
export { completesWithin } from './completes-within';
export { delay } from './delay';
export { BackOff, exponentialDelay, type BackOffOptions } from './back-off';
export { errorText } from './error-text';
export { usageText } from './usage-text';
export { LineSplitter, type LineSplitterOptions } from './line-splitter';
export { listen } from './listen';
export { isLogLevel, jsonLog, logLevels, type Log, type LogFields, type LogLevel } from './log';
