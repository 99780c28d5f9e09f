import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type RealNode } from './real-node';

/**
 * DNS server inside the node: resolves `SERVICE.NAMESPACE.svc.cluster.local` over UDP from the current state of the
 * API server: the address of the Service or those of its ready pods. Other names do not exist, and other types have no
 * records.
 */
const serverProgram = `const { readFileSync } = require('node:fs');
const { request } = require('node:https');
const config = JSON.parse(readFileSync(process.argv[1], 'utf8'));
const { server, 'certificate-authority': authority } = config.clusters[0].cluster;
const options = () => ({ ca: readFileSync(authority), headers: { authorization: 'Bearer ' + config.users[0].user.token } });
const get = (path) => new Promise((done, fail) => {
  request(server + path, options(), (answer) => {
    let text = '';
    answer.on('data', (piece) => (text += piece)).on('end', () => done(answer.statusCode === 200 ? JSON.parse(text) : undefined));
  }).on('error', fail).end();
});
async function addressesOf(name) {
  const [, service, namespace] = /^([^.]+)\\.([^.]+)\\.svc\\.cluster\\.local$/.exec(name) ?? [];
  if (!service) return undefined;
  const live = await get('/api/v1/namespaces/' + namespace + '/services/' + service);
  if (!live) return undefined;
  if (live.spec.clusterIP !== 'None') return [live.spec.clusterIP];
  const slices = '/apis/discovery.k8s.io/v1/namespaces/' + namespace + '/endpointslices?labelSelector=kubernetes.io/service-name%3D' + service;
  const { items } = await get(slices);
  return items.flatMap(({ endpoints }) => (endpoints ?? []).filter(({ conditions }) => conditions.ready).flatMap(({ addresses }) => addresses));
}
const socket = require('node:dgram').createSocket('udp4');
socket.on('message', (query, { address, port }) => {
  const labels = [];
  let at = 12;
  for (; query[at] > 0; at += query[at] + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
  const question = query.subarray(12, at + 5);
  const wantsAddress = question.readUInt16BE(question.length - 4) === 1;
  const respond = (code, found) => {
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8580 | code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(found.length, 6);
    const records = found.map((one) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, ...one.split('.').map(Number)]));
    socket.send(Buffer.concat([head, question, ...records]), port, address);
  };
  addressesOf(labels.join('.').toLowerCase()).then(
    (found) => respond(found ? 0 : 3, wantsAddress ? found ?? [] : []),
    () => respond(2, []),
  );
});
socket.bind(53, process.argv[2], () => process.stdout.write('ready\\n'));
process.stdin.on('end', () => process.exit()).resume();
`;

/**
 * Starts a DNS server for the node's Services at the address that its kubelet gives to pods. Ends with this process.
 */
export class DnsServer {
  private constructor(private readonly child: ChildProcess) {}

  static async start({ command: [program = '', ...args], folder, address }: RealNode): Promise<DnsServer> {
    const nodeArgs = [...args, process.execPath, '-e', serverProgram, join(folder, 'kubeconfig'), address];
    const child = spawn(program, nodeArgs, { stdio: ['pipe', 'pipe', 'inherit'] });
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`the DNS server exited with ${String(code)}`);
      }),
    ]);
    return new DnsServer(child);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin?.end();
    await ended;
  }
}
