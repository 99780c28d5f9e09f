import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { request } from 'node:https';
import { readFileSync } from 'node:fs';
import { type EtcdUnderTest } from './etcd-members';

/** Call that modifies a member. */
export interface ModifyingCall {
  readonly method: 'compaction' | 'defragment' | 'alarm';
  readonly member: string;
}

/** Proxy between a program and the members that reports each modifying call before forwarding it and after its response. */
export interface EtcdProxy {
  readonly endpoints: readonly string[];
  stop(): Promise<void>;
}

/** Callbacks of a relay, which awaits their results. `before` returns false to withhold a call. */
export interface EtcdProxyListener {
  before(changed: ModifyingCall): Promise<boolean>;
  after(changed: ModifyingCall): void;
  /** Transforms a chunk of a snapshot; undefined truncates it. @default - the chunk is forwarded unchanged */
  readonly snapshot?: (chunk: Buffer, at: number) => Buffer | undefined;
}

/** Starts a relay for every member. */
export async function startEtcdProxy({ members, tls }: EtcdUnderTest, listener: EtcdProxyListener): Promise<EtcdProxy> {
  const pem = { ca: readFileSync(tls.ca), cert: readFileSync(tls.cert), key: readFileSync(tls.key) };
  const servers = members.map(({ name, endpoint }) =>
    createServer((asked, answer) => {
      const chunks: Buffer[] = [];
      asked.on('data', (chunk: Buffer) => chunks.push(chunk));
      asked.on('error', () => undefined);
      answer.on('error', () => undefined);
      asked.on('end', () => {
        const body = Buffer.concat(chunks);
        const changed = changeOf(asked.url ?? '', body.toString('utf8'), name);
        void (changed ? listener.before(changed) : Promise.resolve(true)).then((passes) => {
          if (!passes) return answer.destroy();
          const passed = request(
            `${endpoint.url}${asked.url}`,
            { method: 'POST', agent: false, ...pem },
            (response) => {
              if (changed) response.on('end', () => listener.after(changed));
              answer.writeHead(response.statusCode ?? 500, response.headers);
              response.on('error', () => answer.destroy());
              forward(response, answer, asked.url?.endsWith('/snapshot') === true ? listener.snapshot : undefined);
            },
          );
          passed.on('error', () => answer.destroy());
          answer.on('close', () => !changed && passed.destroy());
          passed.end(body);
          return undefined;
        });
      });
    }),
  );
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));
  return {
    endpoints: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    stop: async () => void (await Promise.all(servers.map(closeServer))),
  };
}

/** Forwards a response and transforms its chunks if requested. */
function forward(response: IncomingMessage, answer: ServerResponse, change: EtcdProxyListener['snapshot']): void {
  if (!change) {
    response.pipe(answer);
    return;
  }
  let at = 0;
  response.on('data', (chunk: Buffer) => {
    const changed = change(chunk, at);
    at += chunk.length;
    if (changed) answer.write(changed);
    else response.destroy();
  });
  response.on('end', () => answer.end());
  response.on('close', () => answer.destroy());
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}

function changeOf(path: string, body: string, member: string): ModifyingCall | undefined {
  const method = (['compaction', 'defragment', 'alarm'] as const).find((name) => path.endsWith(`/${name}`));
  if (!method || (method === 'alarm' && !body.includes('DEACTIVATE'))) return undefined;
  return { method, member };
}
