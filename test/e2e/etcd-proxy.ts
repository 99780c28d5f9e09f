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

/** Callbacks of a proxy, which awaits their results. `before` returns false to withhold a call. */
export interface EtcdProxyListener {
  before(call: ModifyingCall): Promise<boolean>;
  after(call: ModifyingCall): void;
  /** Transforms a chunk of a snapshot; undefined truncates it. @default - the chunk is forwarded unchanged */
  readonly snapshot?: (chunk: Buffer, offset: number) => Buffer | undefined;
}

/** Starts a proxy for every member. */
export async function startEtcdProxy({ members, tls }: EtcdUnderTest, listener: EtcdProxyListener): Promise<EtcdProxy> {
  const pem = { ca: readFileSync(tls.ca), cert: readFileSync(tls.cert), key: readFileSync(tls.key) };
  const servers = members.map(({ name, endpoint }) =>
    createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', () => undefined);
      outgoing.on('error', () => undefined);
      incoming.on('end', () => {
        const body = Buffer.concat(chunks);
        const call = modifyingCallOf(incoming.url ?? '', body.toString('utf8'), name);
        void (call ? listener.before(call) : Promise.resolve(true)).then((isAllowed) => {
          if (!isAllowed) return outgoing.destroy();
          const upstream = request(
            `${endpoint.url}${incoming.url}`,
            { method: 'POST', agent: false, ...pem },
            (response) => {
              if (call) response.on('end', () => listener.after(call));
              outgoing.writeHead(response.statusCode ?? 500, response.headers);
              response.on('error', () => outgoing.destroy());
              forward(response, outgoing, incoming.url?.endsWith('/snapshot') === true ? listener.snapshot : undefined);
            },
          );
          upstream.on('error', () => outgoing.destroy());
          outgoing.on('close', () => !call && upstream.destroy());
          upstream.end(body);
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
function forward(response: IncomingMessage, outgoing: ServerResponse, change: EtcdProxyListener['snapshot']): void {
  if (!change) {
    response.pipe(outgoing);
    return;
  }
  let offset = 0;
  response.on('data', (chunk: Buffer) => {
    const call = change(chunk, offset);
    offset += chunk.length;
    if (call) outgoing.write(call);
    else response.destroy();
  });
  response.on('end', () => outgoing.end());
  response.on('close', () => outgoing.destroy());
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}

function modifyingCallOf(path: string, body: string, member: string): ModifyingCall | undefined {
  const method = (['compaction', 'defragment', 'alarm'] as const).find((name) => path.endsWith(`/${name}`));
  if (!method || (method === 'alarm' && !body.includes('DEACTIVATE'))) return undefined;
  return { method, member };
}
