import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** HTTP server that answers every request by one function, and its client. */
export class ReadServer {
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(answer: (response: ServerResponse) => void): Promise<ReadServer> {
    const server = createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ReadServer(server, (server.address() as AddressInfo).port);
  }

  /** Sends a request; resolves with the response when its head has come. */
  open(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      request({ port: this.port, host: '127.0.0.1', agent: false }, resolve).once('error', reject).end();
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Resolves with the text of a response when it ends. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
