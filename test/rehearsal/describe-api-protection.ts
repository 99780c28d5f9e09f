import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { type ReadyControlPlaneNode } from './ready-control-plane-node';

const fromStart = { offset: 0 };

/** Defines the tests of rejections, encryption, auditing and signing by an API server. */
export function describeApiProtection(readyNode: () => ReadyControlPlaneNode): void {
  test('events beyond the planned rate are rejected with a message that names the limit', async () => {
    const event = (object: string, index: number): SendableObject => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${object}.${index}`, namespace: 'default' },
      ...{
        involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: object },
        source: { component: 'rehearsal' },
        reason: 'Rehearsed',
        message: 'Rehearsed.',
        type: 'Normal',
      },
    });
    const send = async (name: (index: number) => string, count: number): Promise<(readonly [number, string])[]> => {
      const all = Array.from({ length: count }, (_, index) => readyNode().admin.create(event(name(index), index)));
      return (await Promise.all(all)).map((response) => [
        response.status,
        response.status === 201 ? '' : messageOf(response),
      ]);
    };
    const oneObject = await send(() => 'one-object', 40);
    expect(oneObject.filter(([status]) => status === 201).length).toBeGreaterThanOrEqual(10);
    expect(oneObject.filter(([status]) => status === 429).map(([, text]) => text)).toContainEqual(
      expect.stringContaining('limit reached on type SourceAndObject'),
    );
    const manyObjects = await send((index) => `object-${index}`, 400);
    expect(manyObjects.filter(([status]) => status === 429).map(([, text]) => text)).toContainEqual(
      expect.stringContaining('limit reached on type User'),
    );
    const events = await readyNode().etcd('events', 'get', '--prefix', '/registry/events/default', '--keys-only');
    expect(events).toContain('/registry/events/default/one-object.0');
    expect(await readyNode().etcd('main', 'get', '--prefix', '/registry/events', '--keys-only')).toBe('');
  });

  test('a Secret is encrypted in etcd with the key that all control plane nodes share; a ConfigMap is not', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kept', namespace: 'default' } };
    expectStatus(
      await readyNode().admin.create({ ...secret, ...{ stringData: { word: 'nobody-reads-this' } } }),
      [201],
    );
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept', namespace: 'default' } };
    expectStatus(await readyNode().admin.create({ ...map, ...{ data: { word: 'everybody-reads-this' } } }), [201]);
    const stored = (path: string): Promise<string> => readyNode().etcd('main', 'get', '--print-value-only', path);
    const storedSecret = await stored('/registry/secrets/default/kept');
    expect(storedSecret.slice(0, 'k8s:enc:secretbox:v1:key1:'.length)).toBe('k8s:enc:secretbox:v1:key1:');
    expect(storedSecret).not.toContain('nobody-reads-this');
    expect(await stored('/registry/configmaps/default/kept')).toContain('everybody-reads-this');
  });

  test('the audit log records users and requests without bodies; the super-admin account was used once', async () => {
    const secrets = { resource: 'secrets', namespace: 'default', name: 'kept', verb: 'create' };
    const [created] = await waitFor('the audit log', async () => {
      const found = readyNode().audit.since(fromStart, secrets);
      return found.length > 0 && found;
    });
    expect(created).toMatchObject({ user: { username: 'kubernetes-admin' }, responseStatus: { code: 201 } });
    const text = readFileSync(readyNode().auditFile, 'utf8');
    expect(text).not.toContain('nobody-reads-this');
    expect(text).not.toMatch(/"(requestObject|responseObject)":|"requestURI":"\/(livez|readyz)/);
    const superAdminRequests = readyNode().audit.since(fromStart, { user: 'kubernetes-super-admin' });
    expect(
      new Set(superAdminRequests.filter(({ verb }) => verb !== 'get').map(({ objectRef }) => objectRef?.resource)),
    ).toEqual(new Set(['clusterrolebindings']));
  });

  test('the API server sends audit events to its machine, and serves without a client monitor there', async () => {
    await waitFor('the API server to drop a batch', async () => {
      const { body } = expectStatus(await readyNode().admin.request('GET', '/metrics'), [200]);
      return /^apiserver_audit_error_total\{plugin="webhook"\} [1-9]/m.test(String(body));
    });
  });

  test('requests without credentials are rejected, except health checks', async () => {
    const statusOf = async (path: string): Promise<string> => {
      const flags = ['--silent', '--insecure', '--output', '/dev/null', '--write-out', '%{http_code}'];
      return readyNode().node.machine.runOrThrow('curl', ...flags, `https://${readyNode().node.address}:6443${path}`);
    };
    expect(await Promise.all(['/livez', '/readyz', '/version', '/api', '/metrics'].map(statusOf))).toEqual([
      ...['200', '200', '401', '401', '401'],
    ]);
  });

  test('service account tokens verify with the keys in the bucket of the issuer', async () => {
    const { serviceAccounts } = readyNode().planned.spec;
    const readPublished = async (path: string): Promise<Record<string, unknown>> =>
      JSON.parse(
        await readyNode().node.machine.runOrThrow('aws', 's3', 'cp', `s3://${serviceAccounts.bucket}/${path}`, '-'),
      ) as Record<string, unknown>;
    const discovery = await readPublished('.well-known/openid-configuration');
    expect(discovery).toMatchObject({
      issuer: serviceAccounts.issuer,
      jwks_uri: `${serviceAccounts.issuer}/openid/v1/jwks`,
    });
    const { keys } = (await readPublished('openid/v1/jwks')) as unknown as { keys: readonly JsonWebKey[] };
    const token = await waitFor('an account', () =>
      readyNode()
        .admin.serviceAccountToken('default', 'default', 600)
        .catch(() => undefined),
    );
    const [head = '', body = '', signature = ''] = token.split('.');
    const isVerified = keys.some((jwk) =>
      verify(
        'RSA-SHA256',
        Buffer.from(`${head}.${body}`),
        createPublicKey({ key: jwk, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      ),
    );
    expect(isVerified).toBe(true);
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({ iss: serviceAccounts.issuer });
  });
}
