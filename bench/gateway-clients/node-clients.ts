/** Runs pollers over HTTPS and clients of `lib/client` for some seconds; gets its plan as a message, and answers with results. */
import {
  connect,
  type ConnectionSettings,
  loadKubeConfig,
  monotonicClock,
  resourceOf,
  SharedInformerFactory,
  trimForCache,
} from '../../lib/client';
import { type ClientPlan, type ProgramPlan, repeat, ResultRecorder } from './client-plan';
import { HttpsReader } from './https-reader';

const pods = resourceOf('Pod');
const recorder = new ResultRecorder();
const settingsOf = ({ kubeconfig }: ClientPlan): ConnectionSettings =>
  loadKubeConfig({ file: kubeconfig, environment: {} });

/** Lists pods as a script does, without a version. */
async function poll(one: ClientPlan, seconds: number): Promise<void> {
  const reader = new HttpsReader(one.kubeconfig);
  const path = `/api/v1/namespaces/${one.namespace}/pods`;
  await repeat({ ...one, seconds }, (turn) =>
    recorder.measure(one.kind, () =>
      reader.get(turn % 10 === 0 ? path : `${path}?labelSelector=app%3Dapp-${turn % 10}`),
    ),
  );
  reader.close();
}

async function readWithClient(one: ClientPlan, seconds: number): Promise<void> {
  const { namespace } = one;
  const client = connect(settingsOf(one), { clock: monotonicClock, userAgent: 'lib-client-reader/1.0.0' });
  await repeat({ ...one, seconds }, (turn) =>
    recorder.measure(one.kind, () =>
      turn % 2 === 0
        ? client.list(pods, { namespace, labelSelector: 'app=app-3' })
        : client.get(pods, { namespace, name: 'pod-3' }),
    ),
  );
  client.close();
}

/** Starts an informer, waits until it has synced, and stops it after most of the period, as a program that restarts. */
async function inform(one: ClientPlan, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  await repeat({ ...one, seconds }, async () => {
    const client = connect(settingsOf(one), { clock: monotonicClock, userAgent: 'lib-client-informer/1.0.0' });
    const factory = new SharedInformerFactory({ client, clock: monotonicClock, onError: () => undefined });
    factory.informer({ resource: pods, selection: { namespace: one.namespace }, transform: trimForCache });
    await recorder.measure(one.kind, () => {
      factory.start();
      return factory.waitForCacheSync(AbortSignal.timeout(20_000));
    });
    const left = Math.min(one.period * 900, until - performance.now());
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, left)));
    await factory.stop();
    client.close();
  });
}

const programs: Partial<Record<string, (one: ClientPlan, seconds: number) => Promise<void>>> = {
  poller: poll,
  'lib-client-reader': readWithClient,
  'lib-client-informer': inform,
};

process.once('message', (message) => {
  const { seconds, clients } = message as ProgramPlan;
  void Promise.all(clients.map(async (one) => programs[one.kind]?.(one, seconds))).then(() =>
    process.send?.(recorder.results, () => process.exit(0)),
  );
});
