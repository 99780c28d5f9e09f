/** Types of the functions that the tests use of an untyped package. */
declare module 'node-zookeeper-client' {
  export interface Client {
    once(event: 'connected' | 'disconnected', listener: () => void): void;
    connect(): void;
    close(): void;
    remove(path: string, callback: (error: Error | null) => void): void;
    setData(path: string, data: Buffer, callback: (error: Error | null) => void): void;
  }
  export interface Options {
    readonly sessionTimeout?: number;
    readonly sessionId?: Buffer;
    readonly sessionPassword?: Buffer;
  }
  export function createClient(ensemble: string, options?: Options): Client;
}
