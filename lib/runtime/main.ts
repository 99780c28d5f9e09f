import { request } from 'node:http';
import { jsonLog, systemClock, type LogLevel } from '../process';
import { startRegistrar } from './registrar';
import { readSettings } from './registrar-settings';

const logAt = (level: LogLevel) => jsonLog((line) => void process.stdout.write(line), systemClock.now, level);

/** Runs `registrar withdraw`, the container's preStop hook: asks the running registrar to remove the pod, and waits for it. */
function withdraw(): void {
  const withdrawal = request(
    { host: '127.0.0.1', port: process.env['STATUS_PORT'], path: '/withdraw', method: 'POST', timeout: 10_000 },
    (response) => {
      process.exitCode = response.statusCode === 200 ? 0 : 1;
      response.pipe(process.stdout);
    },
  );
  withdrawal.on('timeout', () => withdrawal.destroy(new Error('no response in time')));
  withdrawal.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  withdrawal.end();
}

async function serve(): Promise<void> {
  const read = readSettings(process.env);
  if ('problems' in read) {
    const log = logAt('error');
    for (const { path, value, reason, remedy } of read.problems)
      log.error('invalid setting', {
        variable: path.join('.'),
        value: value === undefined ? undefined : String(value),
        reason,
        remedy,
      });
    process.exitCode = 2;
    return;
  }
  const log = logAt(read.settings.level);
  const registrar = await startRegistrar(read.settings, systemClock, log);
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
    logAt('error').error('cannot start', { reason: String(error) });
    process.exitCode = 1;
  });
