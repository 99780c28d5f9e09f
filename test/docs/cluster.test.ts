import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crdOf, workloadKinds, type PinionKind } from '../../lib/api';
import { exactVersion } from '../../stacks/plan/machines/exact-version';
import { parameterNames } from '../../stacks/plan/bootstrap/node-cluster-config';
import { attachScript } from '../../stacks/plan/bootstrap/scripts/attach-script';
import { certificatesScript } from '../../stacks/plan/bootstrap/scripts/certificates-script';
import { etcdctlScript } from '../../stacks/plan/bootstrap/scripts/etcdctl-script';
import { controlPlaneScript } from '../../stacks/plan/bootstrap/scripts/control-plane-script';
import { recoveryScript } from '../../stacks/plan/bootstrap/scripts/recovery-script';
import { postBootstrapScript } from '../../stacks/plan/bootstrap/scripts/post-bootstrap-script';
import { snapshotScript } from '../../stacks/plan/bootstrap/scripts/snapshot-script';
import { workerScript } from '../../stacks/plan/bootstrap/scripts/worker-script';
import { clusterSchema } from '../../stacks/plan/config/cluster-config';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8');
const [recipe = '', check = ''] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');

const scripts = [
  controlPlaneScript,
  attachScript,
  postBootstrapScript,
  snapshotScript,
  certificatesScript,
  recoveryScript,
  etcdctlScript,
  workerScript,
];
const versions = clusterSchema.shape.kubernetesVersion.options.map((kubernetes) =>
  exactVersion({ kubernetesVersion: kubernetes }),
);

test('the check of an image requires every program that node scripts use', () => {
  const required = scripts.flatMap((script) =>
    [...script.matchAll(/^ *require ([^$\n]+)$/gm)].flatMap(([, names = '']) => names.split(' ')),
  );
  expect(new Set(required)).toContain('crictl');
  const checked = /^for program in (.*); do$/m.exec(check)?.[1]?.split(' ') ?? [];
  expect(checked).toEqual(expect.arrayContaining([...new Set(required)]));
});

test('the page lists the exact version for each Kubernetes version, and recipe and check have the newest', () => {
  expect(page).toContain(`exactly ${versions.join(' or ')}, the configured version`);
  const newest = versions.at(-1) ?? '';
  expect(recipe).toContain(`kubernetes=${newest} `);
  expect(check).toMatch(new RegExp(`^kubernetes=${newest.replaceAll('.', '\\.')}$`, 'm'));
});

test('the recipe installs the tested etcd version', () => {
  const modules = readFileSync(join(root, 'test/control-plane/etcd/go.mod'), 'utf8');
  const version = /go\.etcd\.io\/etcd\/server\/v3 v(\S+)/.exec(modules)?.[1] ?? 'none';
  expect(recipe).toContain(`etcd=${version} `);
  expect(page).toContain(`tested with ${version}`);
  const unit = 'test/stacks/plan/bootstrap/golden/control-plane-node/etc/systemd/system/etcd-main.service';
  expect(readFileSync(join(root, unit), 'utf8')).toContain('ExecStart=/usr/local/bin/etcd');
  expect(check).toContain('[ -x /usr/local/bin/etcd ]');
});

test('every argument of etcd-recover on the page exists', () => {
  const known = /^ *\*\) fail 'usage: etcd-recover (.*)' ;;$/m.exec(recoveryScript)?.[1]?.split(' | ') ?? [];
  const given = [...page.matchAll(/etcd-recover ([a-z]+)/g)].map(([, word = '']) => word);
  expect([...new Set(given)].sort()).toEqual([...known].sort());
});

test('deleting a cluster deletes every parameter that control plane nodes create', () => {
  const names = /delete-parameters --names \/pinion\/prod\/\{(.*)\}/.exec(page)?.[1]?.split(',') ?? [];
  expect([...names].sort()).toEqual(Object.values(parameterNames).sort());
});

test('deleting a cluster lists every workload kind', () => {
  for (const kind of Object.keys(workloadKinds)) {
    const { spec } = crdOf(kind as PinionKind) as unknown as { spec: { names: { plural: string } } };
    expect(page).toMatch(new RegExp(`kubectl get [a-z,]*\\b${spec.names.plural}\\b[a-z,]* -A`));
  }
});

test('the page builds every image of the Dockerfile', () => {
  const stages = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM runtime AS ([\w-]+)$/gm)];
  const built = /^ +for target in (.*); do$/m.exec(page)?.[1]?.split(' ') ?? [];
  expect([...built].sort()).toEqual(stages.map(([, target]) => target).sort());
});
