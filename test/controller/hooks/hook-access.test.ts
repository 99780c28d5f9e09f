import { apiVersion, type ManifestInput } from '../../../lib/api';
import { ControllerFixture } from '../controller-fixture';

type Spec = ManifestInput<'PinterestStatefulSet'>['spec'];
type Peers = readonly { readonly from: readonly unknown[] }[];

const kind = 'PinterestStatefulSet';
const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop' },
};
const manifest = (tag: string, spec: Partial<Spec>): ManifestInput<'PinterestStatefulSet'> => ({
  apiVersion,
  kind,
  metadata: { name: 'ledger', namespace: 'shop' },
  spec: {
    replicas: 1,
    ports: [{ name: 'tcp', port: 5432 }],
    template: { spec: { containers: [{ name: 'app', image: `registry.example.com/ledger:${tag}` }] } },
    ...spec,
  },
});
const podsOf = (ofKind: string) => ({
  podSelector: { matchLabels: { 'pinterest.com/kind': ofKind, 'pinterest.com/workload': 'ledger' } },
});
const members = podsOf(kind);
const hooks = podsOf(`${kind}Hook`);

const fixture = new ControllerFixture();
afterAll(() => fixture.stop());
const settle = async () => {
  for (let round = 0; round < 4; round++) await fixture.settle(2000);
};
const peers = () =>
  (fixture.server.find('NetworkPolicy', 'shop', 'ledger')?.['spec'] as { ingress: Peers }).ingress.map(
    ({ from }) => from,
  );

test('the first hook reaches the members of a restricted set, and a tightened access waits for it', async () => {
  const web = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'web' } } };
  await fixture.start(project, manifest('1', { access: { from: [{ project: 'web' }] } }));
  await settle();
  expect(peers()).toEqual([[web], [members]]);
  fixture.apply(
    manifest('2', { access: { from: [] }, beforeDeployment: [{ name: 'migrate', command: ['/migrate'] }] }),
  );
  await settle();
  expect(JSON.stringify(fixture.server.find('StatefulSet', 'shop', 'ledger'))).toContain('ledger:1');
  expect(peers()).toEqual([[web], [members, hooks]]);
  const writes = fixture.server.written.map(({ verb, kind: of, name }) => `${verb} ${of} ${name}`);
  const isJob = (write: string) => write.startsWith('apply Job ');
  expect(writes.findIndex(isJob)).toBeGreaterThan(writes.lastIndexOf('apply NetworkPolicy ledger'));

  fixture.server.written.splice(0);
  const [job] = (await fixture.server.list({ kind: 'Job' } as never)).items;
  const at = new Date(fixture.clock.now()).toISOString();
  const condition = { type: 'Complete', status: 'True', lastTransitionTime: at };
  fixture.server.put({ ...job, status: { startTime: at, completionTime: at, conditions: [condition] } } as never);
  await settle();
  expect(JSON.stringify(fixture.server.find('StatefulSet', 'shop', 'ledger'))).toContain('ledger:2');
  expect(peers()).toEqual([[members, hooks]]);
});
