import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Auto Scaling calls that moto does not support; they are recorded and get an empty response. */
const unsupportedByMoto = ['CompleteLifecycleAction', 'RecordLifecycleActionHeartbeat'];

/** Proxy of an emulated AWS that can be unavailable and handles calls that the emulation does not support. */
export class CloudProxy {
  isUnreachable = false;
  /** Calls that the proxy responded to itself, in order. */
  readonly answeredCalls: { readonly action: string; readonly machine: string }[] = [];
  private readonly server: Server;
  private readonly target: URL;

  constructor(target: string) {
    this.target = new URL(target);
    this.server = createServer((asked, response) => {
      const body: Buffer[] = [];
      asked.on('data', (chunk: Buffer) => body.push(chunk));
      asked.on('end', () => this.answer(asked, Buffer.concat(body), response));
    });
  }

  /** Listens on a free port of the loopback address; returns the URL. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
      });
    });
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private answer(asked: IncomingMessage, body: Buffer, response: ServerResponse): void {
    if (this.isUnreachable) {
      asked.socket.destroy();
      return;
    }
    const parameters = new URLSearchParams(body.toString('latin1'));
    const action = parameters.get('Action') ?? '';
    if (unsupportedByMoto.includes(action)) {
      this.answeredCalls.push({ action, machine: parameters.get('InstanceId') ?? '' });
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(`<${action}Response><${action}Result/></${action}Response>`);
      return;
    }
    const { hostname, port } = this.target;
    const { method, url, headers } = asked;
    const upstream = request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    upstream.end(body);
  }
}
