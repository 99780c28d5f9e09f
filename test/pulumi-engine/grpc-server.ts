import { Server, ServerCredentials, status, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';

type CallHandler = (call: ServerUnaryCall<never, unknown>, done: sendUnaryData<unknown>) => void;

/** An engine plugin: listens on the loopback address until it is stopped. */
export class GrpcServer {
  readonly #server = new Server();
  /** Errors of rejected calls, in order. */
  readonly errors: string[] = [];

  /** `handlers` implement the service that the engine calls. */
  constructor(service: unknown, handlers: Readonly<Record<string, (request: never) => Promise<unknown>>>) {
    const methods = Object.entries(handlers).map(([name, handle]) => [name, this.#handlerFor(handle)] as const);
    this.#server.addService(service as never, Object.fromEntries(methods) as never);
  }

  /** Starts to listen; returns the port. */
  start(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    );
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #handlerFor(handle: (request: never) => Promise<unknown>): CallHandler {
    return (call, done) => {
      handle(call.request).then(
        (response) => done(null, response),
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error);
          this.errors.push(message);
          done({ code: status.INVALID_ARGUMENT, message });
        },
      );
    };
  }
}
