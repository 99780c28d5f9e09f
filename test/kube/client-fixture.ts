import { type Clock, connect, type ConnectOptions, type KubeClient, resourceOf } from '../../lib/kube';
import { realClock } from './real-clock';
import { type Script, type ScriptedServer, startServer } from './scripted-server';

/** Resource of most requests. */
export const pods = resourceOf('Pod');
export const podKey = { name: 'a', namespace: 'shop' };
export const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...podKey, uid: 'u', resourceVersion: '1' } };
export const podManifest = { apiVersion: 'v1', kind: 'Pod', metadata: podKey };

/** A clock that does not wait: it records the delays. Request timeouts never fire. */
export function instantClock(waits: number[] = []): Clock {
  let time = 0;
  return {
    now: () => time,
    after: (milliseconds, callback) => {
      if (milliseconds === 30_000) return () => undefined;
      const immediate = setImmediate(() => {
        waits.push(milliseconds);
        time += milliseconds;
        callback();
      });
      return () => clearImmediate(immediate);
    },
    random: () => 0.5,
  };
}

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** Starts a scripted server, which is stopped after the test. */
export async function serve(script: Script): Promise<ScriptedServer> {
  const server = await startServer(script);
  opened.push(server);
  return server;
}

/** Returns a client of a server, closed after the test; a rejected token is replaced by the next one. */
export function clientOf(
  server: ScriptedServer,
  options: Partial<ConnectOptions> = {},
  tokens = ['secret'],
): KubeClient {
  let index = 0;
  const client = connect(
    {
      server: server.url,
      namespace: 'default',
      credential: (_, rejected) => {
        if (rejected) index = Math.min(index + 1, tokens.length - 1);
        return Promise.resolve({ token: tokens[index] ?? '' });
      },
    },
    { clock: realClock, userAgent: 'test/1', ...options },
  );
  opened.push(client);
  return client;
}
