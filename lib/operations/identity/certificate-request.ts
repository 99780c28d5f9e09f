import { DerError, derTags, type DerValue, expectTag, readDer, readDerValues } from './der';

/** What a certificate request (PKCS #10, RFC 2986) asks to be called. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organization: string;
  readonly dnsNames: readonly string[];
  /** IPv4. */
  readonly addresses: readonly string[];
}

/** Most bytes of a request; kubelets ask with fewer than 1,000. */
const mostBytes = 16_384;

/** Object identifiers, in their encoding: attributes of names, the request of extensions, and the one extension. */
const identifiers = {
  commonName: '550403',
  organization: '55040a',
  extensionRequest: '2a864886f70d01090e',
  alternativeNames: '551d11',
};

/** Kinds of alternative names: context-specific tags of GeneralName (RFC 5280). */
const nameTags = { dns: 0x82, address: 0x87 };

/**
 * Reads a request as kubelets write it, in PEM. Gives why not for any other, however valid: whoever signs may understand
 * more than this does, so that what it would not understand must not get there.
 */
export function readCertificateRequest(
  pem: string,
): { readonly request: CertificateRequest } | { readonly fault: string } {
  try {
    return { request: requestOf(bytesOf(pem)) };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    return { fault: error.message };
  }
}

function bytesOf(pem: string): Buffer {
  const form = /^-----BEGIN CERTIFICATE REQUEST-----\n([A-Za-z0-9+/=\n]+)\n-----END CERTIFICATE REQUEST-----\n?$/;
  const text = form.exec(pem)?.[1]?.replaceAll('\n', '');
  if (text === undefined || text.length > mostBytes) throw new DerError('is not one block of PEM');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new DerError('is not in base64');
  return bytes;
}

function requestOf(bytes: Buffer): CertificateRequest {
  const [information, algorithm, signature, ...beyond] = within(readDer(bytes, derTags.sequence));
  expectTag(algorithm, derTags.sequence);
  expectTag(signature, derTags.bitString);
  const [version, subject, key, attributes, ...more] = within(expectTag(information, derTags.sequence));
  if (beyond.length + more.length > 0) throw new DerError('has more parts than a request has');
  if (hex(expectTag(version, derTags.integer)) !== '00') throw new DerError('is of another version');
  expectTag(key, derTags.sequence);
  return {
    ...subjectOf(expectTag(subject, derTags.sequence)),
    ...alternativeNames(attributes),
  };
}

/** One organization and one common name, each alone in its place. */
function subjectOf(subject: DerValue): Pick<CertificateRequest, 'commonName' | 'organization'> {
  const parts = within(subject).map((place): readonly [string, string] => {
    const [part, ...others] = within(expectTag(place, derTags.set));
    const [identifier, value, ...more] = within(expectTag(part, derTags.sequence));
    if (others.length + more.length > 0) throw new DerError('has a subject whose parts have parts');
    return [hex(expectTag(identifier, derTags.objectIdentifier)), textOf(value)];
  });
  const values = new Map(parts);
  const [commonName, organization] = [values.get(identifiers.commonName), values.get(identifiers.organization)];
  if (parts.length !== 2 || commonName === undefined || organization === undefined)
    throw new DerError('has a subject of other parts than one organization and one common name');
  return { commonName, organization };
}

function textOf(value: DerValue | undefined): string {
  if (value?.tag !== derTags.utf8String && value?.tag !== derTags.printableString)
    throw new DerError('has a subject in another form than text');
  return asciiOf(value);
}

/** What is not printable ASCII could look like what it is not. */
function asciiOf({ content }: DerValue): string {
  if (!content.every((octet) => octet > 0x20 && octet < 0x7f)) throw new DerError('has a name that is not plain text');
  return content.toString('latin1');
}

/** No attributes, or the one that asks for the one extension. */
function alternativeNames(attributes: DerValue | undefined): Pick<CertificateRequest, 'dnsNames' | 'addresses'> {
  const given = attributes ? within(expectTag(attributes, 0xa0)) : [];
  if (given.length === 0) return { dnsNames: [], addresses: [] };
  const attribute = single(given, 'attributes');
  const [identifier, values, ...more] = within(expectTag(attribute, derTags.sequence));
  if (more.length > 0 || hex(expectTag(identifier, derTags.objectIdentifier)) !== identifiers.extensionRequest)
    throw new DerError('has another attribute than a request of extensions');
  const extensions = single(within(expectTag(values, derTags.set)), 'lists of extensions');
  const extension = single(within(expectTag(extensions, derTags.sequence)), 'extensions');
  return namesOf(extension);
}

function namesOf(extension: DerValue): Pick<CertificateRequest, 'dnsNames' | 'addresses'> {
  const [identifier, ...rest] = within(expectTag(extension, derTags.sequence));
  if (hex(expectTag(identifier, derTags.objectIdentifier)) !== identifiers.alternativeNames)
    throw new DerError('asks for another extension than alternative names');
  // Whether it is critical comes before it, where it is said.
  const isSaid = rest[0]?.tag === derTags.boolean;
  const value = single(isSaid ? rest.slice(1) : rest, 'values of an extension');
  const names = within(readDer(expectTag(value, derTags.octetString).content, derTags.sequence));
  const dnsNames: string[] = [];
  const addresses: string[] = [];
  for (const name of names)
    if (name.tag === nameTags.dns) dnsNames.push(asciiOf(name));
    else if (name.tag === nameTags.address && name.content.length === 4) addresses.push([...name.content].join('.'));
    else throw new DerError('asks for a name that is neither of DNS nor an address of IPv4');
  return { dnsNames, addresses };
}

const within = ({ content }: DerValue): readonly DerValue[] => readDerValues(content);

const hex = ({ content }: DerValue): string => content.toString('hex');

function single(values: readonly DerValue[], what: string): DerValue {
  const [value, ...more] = values;
  if (!value || more.length > 0) throw new DerError(`has ${values.length} ${what}`);
  return value;
}
