import { type OptionValueType } from './option-value-type';

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Text on the command line. */
  readonly text: string;
}

/** Type of an address to listen on. */
export const listenAddressType = {
  valueName: 'HOST:PORT',
  expected: 'an address such as 127.0.0.1:9440',
  parse(text: string): ListenAddress | undefined {
    const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
    const host = match?.[1] ?? match?.[2];
    const port = Number(match?.[3]);
    return host === undefined || port > 65_535 ? undefined : { host, port, text };
  },
} as const satisfies OptionValueType<ListenAddress>;
