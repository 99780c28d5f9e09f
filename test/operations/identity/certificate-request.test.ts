import fc from 'fast-check';
import { readCertificateRequest } from '../../../lib/operations';
import { kubeletRequest, requestBy, type Asked } from './certificate-requests';

/** Written by x509.CreateCertificateRequest of Go 1.26, with a subject and names as kubelets give them. */
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

const asked = (given: Asked) => readCertificateRequest(requestBy(given).pem);
const subject = '/O=system:nodes/CN=system:node:ip-10-0-16-80.ec2.internal';
const bytesOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----.*-----|\n/g, ''), 'base64');
const pemOf = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

test('what a kubelet asks for is read, with its names and addresses', () => {
  const { pem } = kubeletRequest('ip-10-0-16-80.ec2.internal', ['10.0.16.80', '10.0.16.81']);
  expect(readCertificateRequest(pem)).toEqual({
    request: {
      commonName: 'system:node:ip-10-0-16-80.ec2.internal',
      organization: 'system:nodes',
      dnsNames: ['ip-10-0-16-80.ec2.internal'],
      addresses: ['10.0.16.80', '10.0.16.81'],
    },
  });
});

test('what Go writes, as kubelets do, is read too', () => {
  const names = { commonName: 'system:node:ip-10-0-16-80.ec2.internal', organization: 'system:nodes' };
  expect(readCertificateRequest(byGo.client)).toEqual({ request: { ...names, dnsNames: [], addresses: [] } });
  expect(readCertificateRequest(byGo.serving)).toEqual({
    request: { ...names, dnsNames: ['ip-10-0-16-80.ec2.internal'], addresses: ['10.0.16.80'] },
  });
});

test('names of a kind of text, its order and its key make no difference', () => {
  const plain = { commonName: 'system:node:a', organization: 'system:nodes', dnsNames: [], addresses: [] };
  const key = ['rsa:2048'];
  expect(asked({ subject: '/O=system:nodes/CN=system:node:a', key })).toEqual({ request: plain });
  expect(asked({ subject: '/CN=system:node:a/O=system:nodes' })).toEqual({ request: plain });
});

test.each<[string, Asked]>([
  ['two common names', { subject: '/O=system:nodes/CN=system:node:a/CN=system:node:b' }],
  ['two organizations', { subject: '/O=system:nodes/O=system:masters/CN=system:node:a' }],
  ['a part that nodes have not', { subject: '/C=US/O=system:nodes/CN=system:node:a' }],
  ['no organization', { subject: '/CN=system:node:a' }],
  ['an address of IPv6', { subject, extensions: ['subjectAltName=IP:fd00::1'] }],
  ['an address of mail', { subject, extensions: ['subjectAltName=email:a@example.com'] }],
  ['a URI', { subject, extensions: ['subjectAltName=URI:spiffe://a'] }],
  ['another extension', { subject, extensions: ['basicConstraints=CA:TRUE'] }],
  ['another extension beside', { subject, extensions: ['subjectAltName=DNS:a', 'keyUsage=digitalSignature'] }],
])('%s is not read', (_, given) => {
  expect(asked(given)).toEqual({ fault: expect.any(String) as unknown });
});

test('parts that stand together in one place are not read: who signs could see another name', () => {
  expect(asked({ subject: '/O=system:nodes+CN=system:node:a' })).toEqual({ fault: expect.any(String) as unknown });
});

test('more than one block, other blocks and text around are not read', () => {
  const { pem } = kubeletRequest('a');
  const wrong = ['', pem + pem, `# a\n${pem}`, `${pem}\n\n`, pem.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')];
  for (const text of [...wrong, pem.replace('\n', '\nProc-Type: 4\n\n'), pem.replace('\n', '\n=\n')])
    expect(readCertificateRequest(text)).toEqual({ fault: expect.any(String) as unknown });
});

test('no bytes at all bring anything but a request or a reason', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(Object.keys(readCertificateRequest(pemOf(Buffer.from(bytes))))).toEqual(['fault']);
    }),
    { numRuns: 2000 },
  );
});

test('bytes that are changed, added or left out never read as the same names', () => {
  const { pem } = kubeletRequest('ip-10-0-16-80.ec2.internal', ['10.0.16.80']);
  const bytes = bytesOf(pem);
  // The names: from the subject to its end, and from the list of names to its end.
  const subjectAt = bytes.indexOf('system:nodes');
  const namesAt = bytes.indexOf(Buffer.from('551d11', 'hex'));
  const nodeAt = bytes.indexOf('system:node:');
  const ends = [nodeAt + 'system:node:ip-10-0-16-80.ec2.internal'.length, namesAt + 3 + 2 + 2 + 28 + 6];
  const places = fc.oneof(
    fc.integer({ min: subjectAt, max: (ends[0] ?? 0) - 1 }),
    fc.integer({ min: namesAt + 5, max: (ends[1] ?? 0) - 1 }),
  );
  const original = readCertificateRequest(pem);
  expect(original).toHaveProperty('request');
  fc.assert(
    fc.property(places, fc.integer({ min: 1, max: 255 }), fc.constantFrom('change', 'add', 'remove'), (at, by, how) => {
      const other = (bytes[at] ?? 0) ^ by;
      const changed = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(how === 'remove' ? [] : [other]),
        bytes.subarray(how === 'add' ? at : at + 1),
      ]);
      const read = readCertificateRequest(pemOf(changed));
      expect(read).not.toEqual(original);
    }),
    { numRuns: 3000 },
  );
});

test('what follows a request, or is missing from its end, is noticed', () => {
  const bytes = bytesOf(kubeletRequest('a').pem);
  for (const other of [Buffer.concat([bytes, Buffer.from([0])]), bytes.subarray(0, -1)])
    expect(readCertificateRequest(pemOf(other))).toEqual({ fault: expect.any(String) as unknown });
});

test('a length that is written longer than it is, or of no definite size, is not read', () => {
  const bytes = bytesOf(kubeletRequest('a').pem);
  expect(bytes[1]).toBe(0x81);
  const body = bytes.subarray(3);
  for (const length of [[0x80], [0x82, 0x00, body.length], [0x83, 0x00, 0x00, body.length]])
    expect(readCertificateRequest(pemOf(Buffer.concat([Buffer.from([0x30, ...length]), body])))).toEqual({
      fault: expect.any(String) as unknown,
    });
});
