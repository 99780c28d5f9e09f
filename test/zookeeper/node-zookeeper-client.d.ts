/** The little that the tests use of a package without types. */
declare module 'node-zookeeper-client' {
  export interface Stat {
    readonly ephemeralOwner: Buffer;
    readonly version: number;
  }
  type Callback<T extends unknown[]> = (error: Error | null, ...results: T) => void;
  export interface Client {
    once(event: 'connected' | 'disconnected', listener: () => void): void;
    connect(): void;
    close(): void;
    getChildren(path: string, callback: Callback<[names: string[]]>): void;
    getData(path: string, callback: Callback<[data: Buffer, stat: Stat]>): void;
    remove(path: string, callback: Callback<[]>): void;
    setData(path: string, data: Buffer, callback: Callback<[stat: Stat]>): void;
    create(path: string, data: Buffer, mode: number, callback: Callback<[path: string]>): void;
  }
  export interface Options {
    readonly sessionTimeout?: number;
    readonly spinDelay?: number;
    readonly retries?: number;
    readonly sessionId?: Buffer;
    readonly sessionPassword?: Buffer;
  }
  export function createClient(ensemble: string, options?: Options): Client;
  export const Exception: { readonly NO_NODE: number };
  export const CreateMode: { readonly EPHEMERAL: number; readonly PERSISTENT: number };
}
