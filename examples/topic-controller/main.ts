import { errorText, jsonLog, loadDefaultConfig } from '@pinion-platform/pinion/client';
import { setupSignalHandler } from '@pinion-platform/pinion/controller-runtime';
import { runTopicController } from './run-topic-controller';

const log = jsonLog((line) => process.stdout.write(line), Date.now);

async function main(): Promise<void> {
  const settings = loadDefaultConfig(process.env);
  const { POD_NAMESPACE: namespace = settings.namespace, HOST: host = '0.0.0.0', PORT: port = '8080' } = process.env;
  await runTopicController({ settings, namespace, health: { host, port: Number(port) }, log }, setupSignalHandler());
}

main().catch((error: unknown) => {
  log.error('failed', { error: errorText(error) });
  // A reconcile that hangs must not keep the process alive: after a lost lease, another one leads.
  process.exit(1);
});
