import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';

/** A certificate and its key, both PEM. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
}

// DER (X.690): a tag, a length, the content.
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}
const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const octets = (...contents: readonly Buffer[]): Buffer => der(0x04, ...contents);
const truth = der(0x01, Buffer.from([0xff]));

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const nameOf = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(commonName)))));
const basicConstraints = (isAuthority: boolean): Buffer =>
  sequence(objectId('551d13'), truth, octets(isAuthority ? sequence(truth) : sequence()));
const alternativeNames = (dnsName: string, addresses: readonly string[]): Buffer => {
  const names = addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number))));
  return sequence(objectId('551d11'), octets(sequence(der(0x82, Buffer.from(dnsName)), ...names)));
};

function issue(
  subject: string,
  issuer: string,
  issuerKey: KeyObject,
  publicKey: KeyObject,
  isAuthority: boolean,
  addresses: readonly string[] = [],
  expires = defaultExpiry,
): string {
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from(timeText(expires)))),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(basicConstraints(isAuthority), alternativeNames(subject, addresses))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, issuerKey));
  return new X509Certificate(sequence(body, ecdsaWithSha256, signature)).toString();
}

const defaultExpiry = new Date('2120-01-01T00:00:00Z');
const timeText = (time: Date): string => `${time.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`;

/** A test certificate authority; keys are generated for each test, so that none is stored. */
export class TestAuthority {
  readonly #key: KeyObject;
  /** CA certificate, PEM. */
  readonly certificate: string;

  constructor(
    private readonly name = 'authority.test',
    expires?: Date,
  ) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.certificate = issue(name, name, privateKey, publicKey, true, [], expires);
  }

  /** Issues a certificate for a server name or a client name, and for IPv4 addresses of the server. */
  certify(subject: string, addresses: readonly string[] = [], expires?: Date): Certified {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return { certificate: issue(subject, this.name, this.#key, publicKey, false, addresses, expires), key };
  }
}
