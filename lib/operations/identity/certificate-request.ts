import { DerError, derTags, type DerValue, expectTag, readDer, readDerValues } from './der';

/** Names in a certificate request (PKCS #10, RFC 2986). */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organization: string;
  readonly dnsNames: readonly string[];
  /** IPv4 addresses. */
  readonly addresses: readonly string[];
}

/** Maximum size of a request; those of kubelets are below 1,000 bytes. */
const maxBytes = 16_384;

/** Encoded object identifiers: name attributes, the extension request, and the only extension that is accepted. */
const identifiers = {
  commonName: '550403',
  organization: '55040a',
  extensionRequest: '2a864886f70d01090e',
  alternativeNames: '551d11',
};

/** Context-specific tags of GeneralName (RFC 5280). */
const nameTags = { dns: 0x82, address: 0x87 };

/**
 * Parses a PEM request in the form that kubelets write. Returns the fault of any other request, even if it is valid: the
 * signer may interpret fields that this parser does not.
 */
export function parseCertificateRequest(
  pem: string,
): { readonly request: CertificateRequest } | { readonly fault: string } {
  try {
    return { request: requestOf(decodePem(pem)) };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    return { fault: error.message };
  }
}

function decodePem(pem: string): Buffer {
  const form = /^-----BEGIN CERTIFICATE REQUEST-----\n([A-Za-z0-9+/=\n]+)\n-----END CERTIFICATE REQUEST-----\n?$/;
  const text = form.exec(pem)?.[1]?.replaceAll('\n', '');
  if (text === undefined || text.length > maxBytes) throw new DerError('is not a single PEM block');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new DerError('is not valid base64');
  return bytes;
}

function requestOf(bytes: Buffer): CertificateRequest {
  const [information, algorithm, signature, ...extraFields] = childrenOf(readDer(bytes, derTags.sequence));
  expectTag(algorithm, derTags.sequence);
  expectTag(signature, derTags.bitString);
  const [version, subject, key, attributes, ...more] = childrenOf(expectTag(information, derTags.sequence));
  if (extraFields.length + more.length > 0) throw new DerError('has additional fields');
  if (hex(expectTag(version, derTags.integer)) !== '00') throw new DerError('has an unsupported version');
  expectTag(key, derTags.sequence);
  return {
    ...subjectOf(expectTag(subject, derTags.sequence)),
    ...alternativeNames(attributes),
  };
}

/** Exactly one organization and one common name. */
function subjectOf(subject: DerValue): Pick<CertificateRequest, 'commonName' | 'organization'> {
  const parts = childrenOf(subject).map((set): readonly [string, string] => {
    const [part, ...others] = childrenOf(expectTag(set, derTags.set));
    const [identifier, value, ...more] = childrenOf(expectTag(part, derTags.sequence));
    if (others.length + more.length > 0) throw new DerError('has a subject with multi-valued attributes');
    return [hex(expectTag(identifier, derTags.objectIdentifier)), textOf(value)];
  });
  const values = new Map(parts);
  const [commonName, organization] = [values.get(identifiers.commonName), values.get(identifiers.organization)];
  if (parts.length !== 2 || commonName === undefined || organization === undefined)
    throw new DerError('must have a subject of one organization and one common name');
  return { commonName, organization };
}

function textOf(value: DerValue | undefined): string {
  if (value?.tag !== derTags.utf8String && value?.tag !== derTags.printableString)
    throw new DerError('has a subject attribute that is not a string');
  return asciiOf(value);
}

/** Returns text; rejects characters outside printable ASCII, which can look like others. */
function asciiOf({ content }: DerValue): string {
  if (!content.every((octet) => octet > 0x20 && octet < 0x7f))
    throw new DerError('has a name that is not printable ASCII');
  return content.toString('latin1');
}

/** Returns the subject alternative names; rejects attributes other than one extension request. */
function alternativeNames(attributes: DerValue | undefined): Pick<CertificateRequest, 'dnsNames' | 'addresses'> {
  const elements = attributes ? childrenOf(expectTag(attributes, 0xa0)) : [];
  if (elements.length === 0) return { dnsNames: [], addresses: [] };
  const attribute = single(elements, 'attributes');
  const [identifier, values, ...more] = childrenOf(expectTag(attribute, derTags.sequence));
  if (more.length > 0 || hex(expectTag(identifier, derTags.objectIdentifier)) !== identifiers.extensionRequest)
    throw new DerError('has an attribute other than an extension request');
  const extensions = single(childrenOf(expectTag(values, derTags.set)), 'lists of extensions');
  const extension = single(childrenOf(expectTag(extensions, derTags.sequence)), 'extensions');
  return namesOf(extension);
}

function namesOf(extension: DerValue): Pick<CertificateRequest, 'dnsNames' | 'addresses'> {
  const [identifier, ...rest] = childrenOf(expectTag(extension, derTags.sequence));
  if (hex(expectTag(identifier, derTags.objectIdentifier)) !== identifiers.alternativeNames)
    throw new DerError('requests an extension other than subject alternative names');
  // The optional critical flag precedes the value.
  const hasCriticalFlag = rest[0]?.tag === derTags.boolean;
  const value = single(hasCriticalFlag ? rest.slice(1) : rest, 'values of an extension');
  const names = childrenOf(readDer(expectTag(value, derTags.octetString).content, derTags.sequence));
  const dnsNames: string[] = [];
  const addresses: string[] = [];
  for (const name of names)
    if (name.tag === nameTags.dns) dnsNames.push(asciiOf(name));
    else if (name.tag === nameTags.address && name.content.length === 4) addresses.push([...name.content].join('.'));
    else throw new DerError('requests a name that is neither a DNS name nor an IPv4 address');
  return { dnsNames, addresses };
}

const childrenOf = ({ content }: DerValue): readonly DerValue[] => readDerValues(content);

const hex = ({ content }: DerValue): string => content.toString('hex');

function single(values: readonly DerValue[], description: string): DerValue {
  const [value, ...more] = values;
  if (!value || more.length > 0) throw new DerError(`has ${values.length} ${description}`);
  return value;
}
