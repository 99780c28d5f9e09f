import fc from 'fast-check';
import { parseCertificateRequest } from '../../../lib/operations';
import { kubeletRequest, requestBy, type CertificateRequestOptions } from './certificate-requests';

/** Created by x509.CreateCertificateRequest of Go 1.26, with the subject and names of a kubelet. */
const byGo = {
  client: `-----BEGIN CERTIFICATE REQUEST-----
MIIBAzCBqgIBADBIMRUwEwYDVQQKEwxzeXN0ZW06bm9kZXMxLzAtBgNVBAMTJnN5
c3RlbTpub2RlOmlwLTEwLTAtMTYtODAuZWMyLmludGVybmFsMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEkNNpmCTMRfm80kG80iPLKOlkQCM8o8/X5TE1AOJruxNr
fTguzUzkL1pmKT+K+syrDCgeiq6xzNIOHtE6g7zTYKAAMAoGCCqGSM49BAMCA0gA
MEUCIGNwV6isrWnpkQyTrJ6ROIEZN0JGJc7gbA6nRUIKFXw7AiEAu98YfXncBjeX
BtOoSBHCkS4umjUDDvp9KPzcF+Dk87Q=
-----END CERTIFICATE REQUEST-----
`,
  serving: `-----BEGIN CERTIFICATE REQUEST-----
MIIBQTCB6AIBADBIMRUwEwYDVQQKEwxzeXN0ZW06bm9kZXMxLzAtBgNVBAMTJnN5
c3RlbTpub2RlOmlwLTEwLTAtMTYtODAuZWMyLmludGVybmFsMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEkNNpmCTMRfm80kG80iPLKOlkQCM8o8/X5TE1AOJruxNr
fTguzUzkL1pmKT+K+syrDCgeiq6xzNIOHtE6g7zTYKA+MDwGCSqGSIb3DQEJDjEv
MC0wKwYDVR0RBCQwIoIaaXAtMTAtMC0xNi04MC5lYzIuaW50ZXJuYWyHBAoAEFAw
CgYIKoZIzj0EAwIDSAAwRQIgf4OtCXIHg2phMFQFpkeCfsIayZfIvRKOSvgdbYUV
cykCIQDrhgf5SYuUPAd3HvlaLD3sXjYuwRcopp+J+3yhDm0NJw==
-----END CERTIFICATE REQUEST-----
`,
};

const parsed = (options: CertificateRequestOptions) => parseCertificateRequest(requestBy(options).pem);
const subject = '/O=system:nodes/CN=system:node:ip-10-0-16-80.ec2.internal';
const bytesOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----.*-----|\n/g, ''), 'base64');
const pemOf = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

test('parses names and addresses of a kubelet request', () => {
  const { pem } = kubeletRequest('ip-10-0-16-80.ec2.internal', ['10.0.16.80', '10.0.16.81']);
  expect(parseCertificateRequest(pem)).toEqual({
    request: {
      commonName: 'system:node:ip-10-0-16-80.ec2.internal',
      organization: 'system:nodes',
      dnsNames: ['ip-10-0-16-80.ec2.internal'],
      addresses: ['10.0.16.80', '10.0.16.81'],
    },
  });
});

test('parses a request created by Go', () => {
  const names = { commonName: 'system:node:ip-10-0-16-80.ec2.internal', organization: 'system:nodes' };
  expect(parseCertificateRequest(byGo.client)).toEqual({ request: { ...names, dnsNames: [], addresses: [] } });
  expect(parseCertificateRequest(byGo.serving)).toEqual({
    request: { ...names, dnsNames: ['ip-10-0-16-80.ec2.internal'], addresses: ['10.0.16.80'] },
  });
});

test('accepts any text type, attribute order and key type', () => {
  const plain = { commonName: 'system:node:a', organization: 'system:nodes', dnsNames: [], addresses: [] };
  const key = ['rsa:2048'];
  expect(parsed({ subject: '/O=system:nodes/CN=system:node:a', key })).toEqual({ request: plain });
  expect(parsed({ subject: '/CN=system:node:a/O=system:nodes' })).toEqual({ request: plain });
});

test.each<[string, CertificateRequestOptions]>([
  ['two common names', { subject: '/O=system:nodes/CN=system:node:a/CN=system:node:b' }],
  ['two organizations', { subject: '/O=system:nodes/O=system:masters/CN=system:node:a' }],
  ['an attribute that nodes do not have', { subject: '/C=US/O=system:nodes/CN=system:node:a' }],
  ['no organization', { subject: '/CN=system:node:a' }],
  ['an IPv6 address', { subject, extensions: ['subjectAltName=IP:fd00::1'] }],
  ['an email address', { subject, extensions: ['subjectAltName=email:a@example.com'] }],
  ['a URI', { subject, extensions: ['subjectAltName=URI:spiffe://a'] }],
  ['another extension', { subject, extensions: ['basicConstraints=CA:TRUE'] }],
  ['an additional extension', { subject, extensions: ['subjectAltName=DNS:a', 'keyUsage=digitalSignature'] }],
])('rejects %s', (_, options) => {
  expect(parsed(options)).toEqual({ fault: expect.any(String) as unknown });
});

test('rejects multi-valued attributes, which the signer may interpret differently', () => {
  expect(parsed({ subject: '/O=system:nodes+CN=system:node:a' })).toEqual({ fault: expect.any(String) as unknown });
});

test('rejects several blocks, other blocks and text outside a block', () => {
  const { pem } = kubeletRequest('a');
  const wrong = ['', pem + pem, `# a\n${pem}`, `${pem}\n\n`, pem.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')];
  for (const text of [...wrong, pem.replace('\n', '\nProc-Type: 4\n\n'), pem.replace('\n', '\n=\n')])
    expect(parseCertificateRequest(text)).toEqual({ fault: expect.any(String) as unknown });
});

test('returns a request or a fault for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(Object.keys(parseCertificateRequest(pemOf(Buffer.from(bytes))))).toEqual(['fault']);
    }),
    { numRuns: 2000 },
  );
});

test('never parses changed, added or removed bytes as the same names', () => {
  const { pem } = kubeletRequest('ip-10-0-16-80.ec2.internal', ['10.0.16.80']);
  const bytes = bytesOf(pem);
  // The names: from the subject to its end, and from the list of names to its end.
  const subjectAt = bytes.indexOf('system:nodes');
  const namesAt = bytes.indexOf(Buffer.from('551d11', 'hex'));
  const nodeAt = bytes.indexOf('system:node:');
  const ends = [nodeAt + 'system:node:ip-10-0-16-80.ec2.internal'.length, namesAt + 3 + 2 + 2 + 28 + 6];
  const positions = fc.oneof(
    fc.integer({ min: subjectAt, max: (ends[0] ?? 0) - 1 }),
    fc.integer({ min: namesAt + 5, max: (ends[1] ?? 0) - 1 }),
  );
  const original = parseCertificateRequest(pem);
  expect(original).toHaveProperty('request');
  fc.assert(
    fc.property(
      positions,
      fc.integer({ min: 1, max: 255 }),
      fc.constantFrom('change', 'add', 'remove'),
      (position, mask, operation) => {
        const other = (bytes[position] ?? 0) ^ mask;
        const changed = Buffer.concat([
          bytes.subarray(0, position),
          Buffer.from(operation === 'remove' ? [] : [other]),
          bytes.subarray(operation === 'add' ? position : position + 1),
        ]);
        const reparsed = parseCertificateRequest(pemOf(changed));
        expect(reparsed).not.toEqual(original);
      },
    ),
    { numRuns: 3000 },
  );
});

test('rejects trailing bytes and truncated requests', () => {
  const bytes = bytesOf(kubeletRequest('a').pem);
  for (const other of [Buffer.concat([bytes, Buffer.from([0])]), bytes.subarray(0, -1)])
    expect(parseCertificateRequest(pemOf(other))).toEqual({ fault: expect.any(String) as unknown });
});

test('rejects lengths that are indefinite or not minimal', () => {
  const bytes = bytesOf(kubeletRequest('a').pem);
  expect(bytes[1]).toBe(0x81);
  const body = bytes.subarray(3);
  for (const length of [[0x80], [0x82, 0x00, body.length], [0x83, 0x00, 0x00, body.length]])
    expect(parseCertificateRequest(pemOf(Buffer.concat([Buffer.from([0x30, ...length]), body])))).toEqual({
      fault: expect.any(String) as unknown,
    });
});
