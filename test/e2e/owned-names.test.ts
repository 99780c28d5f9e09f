import { setTimeout as delay } from 'node:timers/promises';
import { apiVersion, type ManifestInput } from '../../lib/api';
import { messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { describePinion, isTrue, smallTemplate, workloadOf, type LiveCustomResource } from './pinion-suite';

const nginx = 'nginx.ingress.kubernetes.io';

/** Names of one project that others, and the project itself outside its own, may not use. */
describePinion('names that belong to projects', (pinion) => {
  const project = (name: string, spec: Partial<ManifestInput<'Project'>['spec']> = {}): ManifestInput<'Project'> => ({
    apiVersion,
    kind: 'Project',
    metadata: { name },
    spec: { team: name, ...spec },
  });
  const backend = { service: { name: 'app', port: { number: 80 } } };
  const rule = (host?: string) => ({
    ...(host !== undefined && { host }),
    http: { paths: [{ path: '/login', pathType: 'Prefix', backend }] },
  });
  const ingress = (spec: object, annotations: Readonly<Record<string, string>> = {}): SendableObject =>
    ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'app', namespace: 'shop', annotations },
      spec: { ingressClassName: 'internal', rules: [rule('app.shop.apps.example.com')], ...spec },
    }) as unknown as SendableObject;
  const service = (name: string, loadBalancer: object): SendableObject =>
    workloadOf('PinterestService', 'shop', name, {
      replicas: 1,
      loadBalancer: { port: 80, ...loadBalancer },
      template: smallTemplate(),
    }) as SendableObject;
  const tryCreate = async (object: SendableObject) => {
    const response = await pinion().cluster.client.create(object, { dryRun: true });
    return { status: response.status, message: messageOf(response) };
  };
  const create = async (object: SendableObject) => {
    expect(await pinion().cluster.client.create(object)).toMatchObject({ status: 201 });
  };
  /** Waits for admission, which sees changed annotations of namespaces after a delay. */
  const untilDecided = async (object: SendableObject, status: 201 | 403): Promise<void> => {
    await waitFor(
      `${object.kind} ${object.metadata.name} to get ${status}`,
      async () => (await tryCreate(object)).status === status,
      { timeout: 60_000 },
    );
  };
  const condition = (live: LiveCustomResource) =>
    live.status?.conditions?.find(({ type }: { type: string }) => type === 'Ready');

  beforeAll(async () => {
    await pinion().project('bank');
    // Creation times have seconds.
    await delay(1100);
    await pinion().project('shop');
    await untilDecided(ingress({}), 201);
    await untilDecided(ingress({ rules: [rule('login.bank.apps.example.com')] }), 403);
    await untilDecided(service('steal', { hosts: ['login.bank.apps.example.com'] }), 403);
  }, 120_000);

  describe('an Ingress that a tenant applies', () => {
    test.each<[string, object, Record<string, string>, RegExp]>([
      ['the host of another project', { rules: [rule('login.bank.apps.example.com')] }, {}, /\(login\.bank\.apps/],
      ['a pattern over all projects', { rules: [rule('*.apps.example.com')] }, {}, /does not belong to the project/],
      ['no host', { rules: [rule()] }, {}, /rule without a host/],
      ['a default backend', { defaultBackend: backend }, {}, /spec\.defaultBackend/],
      [
        'a TLS host of another project',
        { tls: [{ hosts: ['login.bank.apps.example.com'] }] },
        {},
        /spec\.tls: has a host/,
      ],
      ['TLS without hosts', { tls: [{ secretName: 'stolen' }] }, {}, /spec\.tls: has an entry without hosts/],
      ['another class', { ingressClassName: 'admin' }, {}, /not an ingress class/],
      ['no class', { ingressClassName: undefined }, {}, /not an ingress class/],
      [
        'a snippet',
        {},
        { [`${nginx}/server-snippet`]: 'return 200;' },
        /\(nginx\.ingress\.kubernetes\.io\/server-snippet\)/,
      ],
      ['an alias', {}, { [`${nginx}/server-alias`]: 'login.bank.apps.example.com' }, /does not allow projects to set/],
      ['a legacy class', {}, { 'kubernetes.io/ingress.class': 'internal' }, /does not allow projects to set/],
      ['a DNS name', {}, { 'external-dns.alpha.kubernetes.io/hostname': 'a.b' }, /does not allow projects to set/],
      [
        'a timeout with configuration',
        {},
        { [`${nginx}/proxy-read-timeout`]: '1; }' },
        /does not allow projects to set/,
      ],
    ])('is rejected with %s', async (_, spec, annotations, message) => {
      expect(await tryCreate(ingress(spec, annotations))).toEqual({
        status: 403,
        message: expect.stringMatching(message) as string,
      });
    });

    test('is accepted with its own names and the annotations that pinion sets', async () => {
      const own = { rules: [rule('*.shop.apps.example.com')], tls: [{ hosts: ['a.shop.apps.example.com'] }] };
      const annotations = { [`${nginx}/proxy-read-timeout`]: '60', [`${nginx}/affinity`]: 'cookie', note: 'x' };
      expect(await tryCreate(ingress(own, annotations))).toMatchObject({ status: 201 });
    });
  });

  describe('a workload', () => {
    test('is rejected with the host name of another project, and with an annotation that is not allowed', async () => {
      const steal = service('steal', { hosts: ['login.bank.apps.example.com'] });
      await untilDecided(steal, 403);
      expect(await tryCreate(steal)).toEqual({
        status: 403,
        message: expect.stringMatching(/spec\.loadBalancer\.hosts: has a name/) as string,
      });
      const snippet = await tryCreate(service('steal', { annotations: { [`${nginx}/server-snippet`]: 'x' } }));
      expect(snippet).toMatchObject({ status: 403 });
    });

    test('gets its generated host name, and its Ingress passes admission', async () => {
      await create(service('web', { timeout: '1m', stickiness: true, protocol: 'GRPC' }));
      await pinion().ready('PinterestService', 'shop', 'web', 120_000);
    }, 150_000);
  });

  test('a name that two Projects claim stays with the older one until it gives it up', async () => {
    const bank = (hosts: readonly string[], iamRoles: readonly string[] = []) =>
      pinion().apply(project('bank', { hosts, iamRoles }));
    const wanted = service('www', { hosts: ['www.example.com'] });
    const [lost, kept] = ['reader', 'writer'].map((name) =>
      workloadOf('PinterestService', 'shop', name, { iamRole: name, template: smallTemplate() }),
    ) as unknown as [SendableObject, SendableObject];
    await untilDecided(lost, 403);
    await pinion().apply(
      project('shop', { hosts: ['www.example.com', 'shop.example.com'], iamRoles: ['reader', 'writer'] }),
    );
    await untilDecided(wanted, 201);
    await untilDecided(lost, 201);
    await create(wanted);
    await pinion().ready('PinterestService', 'shop', 'www', 120_000);

    await bank(['www.example.com'], ['arn:aws:iam::000000000000:role/reader']);
    const conflicted = await pinion().until(
      'Project',
      '',
      'shop',
      (live) => condition(live)?.reason === 'NameConflict' && condition(live)?.message.includes('role/reader') === true,
      60_000,
    );
    expect(condition(conflicted)).toMatchObject({
      status: 'False',
      message: expect.stringMatching(
        /www\.example\.com.*is a host name of Project bank[^]*role\/reader.*is an IAM role of Project bank/,
      ) as string,
    });
    await untilDecided(lost, 403);
    await untilDecided(kept, 201);
    await untilDecided({ ...wanted, metadata: { ...wanted.metadata, name: 'second' } }, 403);
    await untilDecided(service('second', { hosts: ['shop.example.com'] }), 201);
    // What exists is kept, and reported.
    const workload = await pinion().until(
      'PinterestService',
      'shop',
      'www',
      (live) => live.status?.phase === 'Invalid',
      60_000,
    );
    expect(JSON.stringify(workload.status)).toContain('www.example.com');
    const { stdout } = await pinion().cluster.kubectl(['get', 'ingress,deployment', '-n', 'shop', '-o', 'name']);
    expect(stdout).toContain('ingress.networking.k8s.io/www');
    expect(stdout).toContain('deployment.apps/www');

    await bank([]);
    await pinion().until('Project', '', 'shop', (live) => isTrue(live, 'Ready'), 60_000);
    await pinion().ready('PinterestService', 'shop', 'www', 120_000);
  }, 400_000);
});
