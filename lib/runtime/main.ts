import { request } from 'node:http';
import { jsonLog, type LogLevel } from './log';
import { startRegistrar } from './registrar';
import { readSettings } from './registrar-settings';

const now = (): number => Date.now();
const logAt = (level: LogLevel) => jsonLog(level, now, (line) => void process.stdout.write(line));
const clock = {
  now,
  random: () => Math.random(),
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** `registrar withdraw`: what the container's preStop hook runs; asks the registrar beside it and ends when the pod is out. */
function withdraw(): void {
  const asked = request(
    { host: '127.0.0.1', port: process.env['STATUS_PORT'], path: '/withdraw', method: 'POST', timeout: 10_000 },
    (answer) => {
      process.exitCode = answer.statusCode === 200 ? 0 : 1;
      answer.pipe(process.stdout);
    },
  );
  asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
  asked.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  asked.end();
}

async function serve(): Promise<void> {
  const read = readSettings(process.env);
  if ('problems' in read) {
    const log = logAt('error');
    for (const { path, value, reason, remedy } of read.problems)
      log('error', 'a variable is wrong', { variable: path.join('.'), value, reason, remedy });
    process.exitCode = 2;
    return;
  }
  const log = logAt(read.settings.level);
  const registrar = await startRegistrar(read.settings, clock, log);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void registrar.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

if (process.argv[2] === 'withdraw') withdraw();
else
  void serve().catch((error: unknown) => {
    logAt('error')('error', 'the registrar cannot start', { reason: String(error) });
    process.exitCode = 1;
  });
