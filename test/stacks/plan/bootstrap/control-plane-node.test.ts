import * as fc from 'fast-check';
import { load, loadAll } from 'js-yaml';
import {
  controlPlaneProblems,
  controlPlaneFiles,
  controlPlaneUserData,
  userDataLimit,
} from '../../../../stacks/plan/bootstrap';
import { controlPlane, firstControlPlaneNode } from './example-cluster';
import { expectGolden } from './golden-files';

interface Arg {
  readonly name: string;
  readonly value: string;
}

const textOf = (path: string, spec = controlPlane, member = firstControlPlaneNode): string => {
  const file = controlPlaneFiles(spec, member).find((one) => one.path === path);
  if (!file) throw new Error(`no file ${path}`);
  return file.content;
};
const kubeadm = (spec = controlPlane) =>
  loadAll(textOf('/etc/pinion/kubeadm.yaml', spec))[1] as Readonly<
    Record<'apiServer' | 'controllerManager' | 'scheduler', { readonly extraArgs: readonly Arg[] }>
  >;
const valuesOf = (args: readonly Arg[], name: string): string[] =>
  args.filter((arg) => arg.name === name).map(({ value }) => value);

test('the files of a control plane node match the golden files', () => {
  expectGolden('control-plane-node', controlPlaneFiles(controlPlane, firstControlPlaneNode));
});

test('every control plane node has user data within the EC2 limit, and the same input gives the same bytes', () => {
  for (const member of controlPlane.members) {
    const { bytes, base64 } = controlPlaneUserData(controlPlane, member);
    expect(bytes).toBeLessThanOrEqual(userDataLimit);
    expect(Buffer.from(base64, 'base64')).toHaveLength(bytes);
    expect(controlPlaneUserData(structuredClone(controlPlane), structuredClone(member)).base64).toBe(base64);
  }
});

test('user data with an etcd for leases and the largest flow control still fits', () => {
  const [main] = controlPlane.etcds;
  const leases = { name: 'leases', flags: main?.flags ?? {} } as const;
  const members = controlPlane.members.map((member) => ({
    ...member,
    volumeTags: { ...member.volumeTags, leases: { 'pinion/etcd': 'leases' } },
  }));
  const schema = (index: number) => ({ ...controlPlane.objects[0], metadata: { name: `heavy-lists-${index}` } });
  const objects = Array.from({ length: 5 }, (_, index) => schema(index));
  expect(controlPlaneProblems({ ...controlPlane, members, etcds: [...controlPlane.etcds, leases], objects })).toEqual(
    [],
  );
});

test('the static pod and the kubelet give an API server the shutdown time that its flags require', () => {
  const shutdownPeriods = (flags: Readonly<Record<string, string>>) => {
    const spec = { ...controlPlane, flags: { ...controlPlane.flags, 'kube-apiserver': flags } };
    const patch = load(textOf('/etc/pinion/patches/kube-apiserver0+strategic.yaml', spec)) as {
      readonly spec: { readonly terminationGracePeriodSeconds: number };
    };
    const kubelet = loadAll(textOf('/etc/pinion/kubeadm.yaml', spec))[2] as Readonly<Record<string, string>>;
    return [
      patch.spec.terminationGracePeriodSeconds,
      kubelet['shutdownGracePeriod'],
      kubelet['shutdownGracePeriodCriticalPods'],
    ];
  };
  expect(shutdownPeriods({})).toEqual([70, '110s', '70s']);
  const planned = { 'shutdown-delay-duration': '20s', 'shutdown-watch-termination-grace-period': '60s' };
  expect(shutdownPeriods(planned)).toEqual([90, '130s', '90s']);
  expect(shutdownPeriods({ ...planned, 'request-timeout': '2m' })).toEqual([150, '190s', '150s']);
});

test('the files of control plane nodes differ only in node-specific values', () => {
  const filesOf = (index: number) =>
    new Map(
      controlPlaneFiles(controlPlane, controlPlane.members[index] ?? firstControlPlaneNode).map((file) => [
        file.path,
        file.content,
      ]),
    );
  const [a, b] = [filesOf(0), filesOf(1)];
  expect([...a.keys()].filter((path) => a.get(path) !== b.get(path))).toEqual([
    '/etc/pinion/machine.conf',
    '/etc/pinion/kubeadm.yaml',
    '/etc/systemd/system/etcd-main.service',
    '/etc/systemd/system/etcd-events.service',
    '/etc/systemd/system/pinion-control-plane.service',
    '/etc/systemd/system/pinion-snapshot.timer',
    '/etc/systemd/system/pinion-certificates.timer',
  ]);
});

const flagName = fc.stringMatching(/^x-[a-z]{1,12}(-[a-z]{1,8})?$/);
const flagValue = fc.string({ minLength: 1, maxLength: 40 });
const flags = fc.dictionary(flagName, flagValue, { maxKeys: 8 });

test('every planned flag of a component is written once, as planned', () => {
  fc.assert(
    fc.property(flags, flags, flags, (apiServer, controllerManager, scheduler) => {
      const written = kubeadm({
        ...controlPlane,
        flags: {
          'kube-apiserver': apiServer,
          'kube-controller-manager': controllerManager,
          'kube-scheduler': scheduler,
        },
      });
      for (const [part, planned] of [
        ['apiServer', apiServer],
        ['controllerManager', controllerManager],
        ['scheduler', scheduler],
      ] as const) {
        for (const [name, value] of Object.entries(planned))
          expect(valuesOf(written[part].extraArgs, name)).toEqual([value]);
        const names = written[part].extraArgs.map(({ name }) => name);
        expect(names).toEqual([...new Set(names)].sort());
      }
    }),
  );
});

test('every flag of an etcd is in its unit once, with systemd specifiers escaped', () => {
  const plain = fc.stringMatching(/^[a-z0-9:/.,=-]{1,30}$/);
  fc.assert(
    fc.property(fc.dictionary(flagName, plain, { maxKeys: 8 }), (planned) => {
      const etcds = [{ name: 'main' as const, flags: planned }];
      const lines = textOf('/etc/systemd/system/etcd-main.service', { ...controlPlane, etcds })
        .split('\n')
        .map((line) => line.trim().replace(/ \\$/, ''));
      for (const [name, value] of Object.entries(planned))
        expect(lines.filter((line) => line.startsWith(`--${name}=`))).toEqual([`--${name}=${value}`]);
    }),
  );
  const etcds = [{ name: 'main' as const, flags: { odd: '50% of "$HOME" ; \\' } }];
  expect(textOf('/etc/systemd/system/etcd-main.service', { ...controlPlane, etcds })).toContain(
    '"--odd=50%% of \\"$$HOME\\" ; \\\\"',
  );
});

test('the API server writes events to a separate etcd, and everything else to the main one, on the same machine', () => {
  const { extraArgs } = kubeadm().apiServer;
  expect(valuesOf(extraArgs, 'etcd-servers')).toEqual(['https://10.0.1.10:2379']);
  expect(valuesOf(extraArgs, 'etcd-servers-overrides')).toEqual(['/events#https://10.0.1.10:2479']);
  const [main] = controlPlane.etcds;
  const alone = kubeadm({ ...controlPlane, etcds: main ? [main] : [] }).apiServer.extraArgs;
  expect(valuesOf(alone, 'etcd-servers-overrides')).toEqual([]);
});

test('the audit policy records user, verb and object, never a body, and no requests without a user', () => {
  const policy = loadAll(textOf('/etc/kubernetes/apiserver/audit-policy.yaml'))[0] as {
    readonly rules: readonly { readonly level: string }[];
  };
  expect(policy.rules.map(({ level }) => level)).toEqual(['None', 'Metadata']);
  expect(policy.rules[1]).toEqual({ level: 'Metadata', userGroups: ['system:authenticated'] });
});

test('the files of a machine contain nothing that looks like a secret', () => {
  const secretLike = /BEGIN [A-Z ]*PRIVATE KEY|[a-z0-9]{6}\.[a-z0-9]{16}\b|\b[A-Za-z0-9+/]{43}=|AKIA[0-9A-Z]{16}/;
  for (const { path, content } of controlPlaneFiles(controlPlane, firstControlPlaneNode))
    expect([path, secretLike.exec(content.replaceAll(/\/BEGIN[^/]*\//g, ''))?.[0]]).toEqual([path, undefined]);
});

test('control plane nodes take snapshots and renew certificates at different times', () => {
  const when = (index: number, timer: string) =>
    /OnCalendar=(.*)/.exec(
      textOf(`/etc/systemd/system/pinion-${timer}.timer`, controlPlane, controlPlane.members[index]),
    )?.[1];
  expect([0, 1, 2].map((index) => when(index, 'snapshot'))).toEqual([
    '*-*-* 00/3:00:00',
    '*-*-* 01/3:00:00',
    '*-*-* 02/3:00:00',
  ]);
  expect(new Set([0, 1, 2].map((index) => when(index, 'certificates'))).size).toBe(3);
});
