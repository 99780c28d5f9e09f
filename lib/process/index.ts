/** Clock, delays, back-off, log and error text of a process. */
export { monotonicClock, systemClock, type Clock } from './clock';
export { completesWithin } from './completes-within';
export { delay } from './delay';
export { BackOff, exponentialDelay, type BackOffOptions } from './back-off';
export { errorText } from './error-text';
export { isLogLevel, jsonLog, logLevels, type Log, type LogFields, type LogLevel } from './log';
