import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveProfiles } from '../../lib/controller/profiles/serve-profiles';
import { type Clock, type Log } from '../../lib/kube';
import { readProfile } from '../../lib/operations';
import { TestAuthority } from '../kube/certificates';
import { profileFile } from '../operations/profile/profile-file';
import { writeFiles, testFolder, pinion, type CommandResult } from './terminal';

jest.setTimeout(60_000);

const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => 0.5,
};
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Holder of the leader lease; undefined if there was never a leader. */
let holder: string | undefined;
/** Whether the API server denies access to the pod proxy. */
let isForbidden: boolean;
let requestedUrls: string[];
let profiles: Server;
let apiServer: Server;
const leasePath = (namespace: string): string =>
  `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/pinion-controller`;
const proxyPath = /^\/api\/v1\/namespaces\/[^/]+\/pods\/http:pinion-controller-[^/]+:6060\/proxy(\/.*)$/;

/** The lease and the pod proxy of an API server. A fake, because a real one does not proxy to addresses of its own machine, which the test pods have. */
function createApiServer(): Server {
  return createServer((incoming, outgoing) => {
    const url = incoming.url ?? '';
    requestedUrls.push(url);
    const sendResponse = (status: number, body: object): void => {
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const failure = (code: number, reason: string) => ({
      kind: 'Status',
      apiVersion: 'v1',
      code,
      reason,
      message: reason,
    });
    if (url.endsWith('/leases/pinion-controller'))
      return holder === undefined
        ? sendResponse(404, failure(404, 'NotFound'))
        : sendResponse(200, {
            apiVersion: 'coordination.k8s.io/v1',
            kind: 'Lease',
            metadata: { name: 'pinion-controller' },
            spec: { holderIdentity: holder },
          });
    const path = proxyPath.exec(url)?.[1];
    if (path === undefined) return sendResponse(404, failure(404, 'NotFound'));
    if (isForbidden) return sendResponse(403, failure(403, 'Forbidden'));
    const { port } = profiles.address() as AddressInfo;
    request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    }).end();
  });
}

const closeServer = (server: Server): Promise<unknown> => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return closed;
};

beforeEach(async () => {
  [holder, isForbidden, requestedUrls] = ['pinion-controller-6d5f-x7k2p_1a2b3c', false, []];
  profiles = await serveProfiles(0, '127.0.0.1', { clock, log: silent });
  apiServer = createApiServer();
  await new Promise<void>((resolve) => apiServer.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await closeServer(apiServer);
  await closeServer(profiles);
});

function profile(...args: readonly string[]): Promise<CommandResult> {
  const { port } = apiServer.address() as AddressInfo;
  const entry = (field: string, content: object) => [{ name: 'a', [field]: content }];
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entry('cluster', { server: `http://127.0.0.1:${port}` }),
    users: entry('user', {}),
    contexts: entry('context', { cluster: 'a', user: 'a' }),
    'current-context': 'a',
  };
  writeFiles({ config: JSON.stringify(config) });
  return pinion(['profile', ...args, '--kubeconfig', join(testFolder(), 'config')], '', {
    system: { environment: {}, clock },
  });
}

test('profiles the leading controller process through the API server', async () => {
  // Much larger than the sampling interval, so that the profile contains samples.
  const retained = Array.from({ length: 200_000 }, (_, index) => ({ index, name: `pod-${index}` }));
  const { code, out, err } = await profile('controller', '--heap', '--save', join(testFolder(), 'heap.pb.gz'));
  expect(retained).toHaveLength(200_000);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^controller, heap: [\d.]+ [KM]iB of inuse_space\n\nACTIVITY +TOTAL\n/);
  expect(requestedUrls).toEqual([
    leasePath('pinion-controller'),
    '/api/v1/namespaces/pinion-controller/pods/http:pinion-controller-6d5f-x7k2p:6060/proxy/debug/pprof/heap',
  ]);
  expect(readProfile(readFileSync(join(testFolder(), 'heap.pb.gz'))).samples.length).toBeGreaterThan(0);
  const later = await profile('controller', '--heap', '--diff', join(testFolder(), 'heap.pb.gz'));
  expect([later.code, later.out]).toEqual([0, expect.stringContaining('SELF CHANGE')]);
});

test('profiles for the given time, in the namespace of the installation', async () => {
  const { code, out } = await profile('controller', '--cpu', '--seconds', '1', '--namespace', 'elsewhere');
  expect([code, out]).toEqual([0, expect.stringMatching(/^controller, cpu for 1 s: [\d.]+ .*s of cpu\n/)]);
  expect(requestedUrls[0]).toBe(leasePath('elsewhere'));
  expect(requestedUrls[1]).toMatch(
    /^\/api\/v1\/namespaces\/elsewhere\/pods\/.*\/proxy\/debug\/pprof\/profile\?seconds=1$/,
  );
});

test('reports a missing leader, missing permission and disabled profiles', async () => {
  isForbidden = true;
  expect(await profile('controller', '--heap')).toMatchObject({
    code: 3,
    err: expect.stringContaining(
      '/api/v1/namespaces/pinion-controller/pods/http:pinion-controller-6d5f-x7k2p:6060/proxy/debug/pprof/heap is forbidden (403): it requires permission to "get" pods/proxy in the namespace pinion-controller; {"kind":"Status","apiVersion":"v1","code":403,"reason":"Forbidden","message":"Forbidden"}',
    ),
  });
  isForbidden = false;
  holder = 'elsewhere_1a2b';
  expect(await profile('controller', '--heap')).toMatchObject({
    code: 3,
    err: expect.stringContaining('the pod may be gone, or run without --profile-port'),
  });
  for (holder of [undefined, '']) {
    const { code, err } = await profile('controller', '--heap');
    expect([code, err]).toEqual([3, expect.stringContaining('has no holder')]);
  }
});

test('rejects a second profile while one is running', async () => {
  const first = profile('controller', '--cpu', '--seconds', '2');
  while (!requestedUrls.some((url) => url.includes('profile?')))
    await new Promise((resolve) => setTimeout(resolve, 20));
  const second = await profile('controller', '--heap');
  expect([second.code, second.err]).toEqual([3, expect.stringContaining('another profile is being taken')]);
  expect((await first).code).toBe(0);
});

test('requires a namespace where it applies', async () => {
  expect(await profile('scheduler', '--heap', '--namespace', 'a')).toMatchObject({ code: 2 });
  expect(await profile('registrar', '--heap')).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'PROGRAM must be apiserver, controller-manager, scheduler or controller, not "registrar"',
    ),
  });
});

test.each(['scheduler', 'controller-manager'])(
  'the documented command for the %s of a control plane node presents the credentials of its kubeconfig',
  async (program) => {
    const page = readFileSync(join(__dirname, '../../docs/profile.md'), 'utf8');
    const line = new RegExp(`^ {4}pinion (profile ${program} .*--url https://127\\.0\\.0\\.1:(\\d+) .*)$`, 'm').exec(
      page,
    );
    const authority = new TestAuthority('cluster');
    const serverAuthority = new TestAuthority('scheduler');
    const { certificate, key } = serverAuthority.certify('scheduler');
    const callers: unknown[] = [];
    // As in Kubernetes programs, a client without a certificate of the cluster is anonymous.
    const component = createTlsServer(
      { cert: certificate, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false },
      ({ socket, url }, outgoing) => {
        const caller =
          socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().subject.CN : undefined;
        callers.push(caller);
        if (caller === undefined || url !== '/debug/pprof/heap') return outgoing.writeHead(403).end('system:anonymous');
        return outgoing.end(gzipSync(profileFile([['inuse_space', 'bytes']], [[['main.f'], [700]]])));
      },
    );
    await new Promise<void>((resolve) => component.listen(0, '127.0.0.1', resolve));
    const admin = authority.certify('kubernetes-admin');
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const user = { 'client-certificate-data': base64(admin.certificate), 'client-key-data': base64(admin.key) };
    const config = (one: object): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'a', user: one }],
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        'current-context': 'a',
      });
    writeFiles({ 'admin.conf': config(user), 'anonymous.conf': config({}) });
    try {
      const { port } = component.address() as AddressInfo;
      const run = (file: string) =>
        pinion(
          (line?.[1] ?? '')
            .replace(`:${line?.[2]}`, `:${port}`)
            .replace('/etc/kubernetes/admin.conf', join(testFolder(), file))
            .split(' '),
          '',
          { system: { environment: {}, clock } },
        );
      expect(await run('admin.conf')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('main.f') });
      expect(await run('anonymous.conf')).toMatchObject({
        code: 3,
        err: expect.stringContaining('is forbidden (403)'),
      });
      expect(callers).toEqual(['kubernetes-admin', undefined]);
    } finally {
      await closeServer(component);
    }
  },
);
