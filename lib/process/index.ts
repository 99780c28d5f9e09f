/** Clock, delays, back-off, log, error text and line splitting of a process. */
export { monotonicClock, systemClock, type Clock } from './clock';
export { completesWithin } from './completes-within';
export { delay } from './delay';
export { BackOff, exponentialDelay, type BackOffOptions } from './back-off';
export { errorText } from './error-text';
export { LineSplitter, type LineSplitterOptions } from './line-splitter';
export { isLogLevel, jsonLog, logLevels, type Log, type LogFields, type LogLevel } from './log';
