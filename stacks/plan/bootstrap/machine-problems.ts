import { admissionProblems, ownedFlagProblem } from '@pinion-platform/pinion';
import { type Problem } from '@pinion-platform/pinion/api';
import { parseCidr } from '../network/cidr';
import { etcdFlags } from './control-plane/etcd-unit';
import { type ControlPlaneSpec, type Flags, type Member } from './control-plane/control-plane-spec';
import { apiServerFlags, servingFlags } from './control-plane/kubeadm-configuration';
import { controlPlaneUserData } from './control-plane/control-plane-node';
import { userDataLimit } from './user-data';
import { workerUserData, type WorkerSpec } from './worker';

/** Returns the problems of a control plane before its machines are created; none if its user data can be used. */
export function controlPlaneProblems(spec: ControlPlaneSpec): Problem[] {
  const problems = [...memberProblems(spec), ...databaseProblems(spec), ...flagProblems(spec)];
  if (problems.length > 0) return problems;
  return spec.members.flatMap((member, index) =>
    sizeProblems(['members', index], controlPlaneUserData(spec, member).bytes, 'a control plane node'),
  );
}

/** Returns the problems of a pool before its machines are created. */
export const workerProblems = (spec: WorkerSpec): Problem[] => {
  const problems = Object.keys(spec.labels).flatMap((key) => labelProblems(key));
  return problems.length > 0 ? problems : sizeProblems([], workerUserData(spec).bytes, 'a worker');
};

function memberProblems({ members }: ControlPlaneSpec): Problem[] {
  const problems: Problem[] = [];
  if (members.length % 2 === 0) {
    problems.push({
      code: 'out-of-range',
      path: ['members'],
      value: members.length,
      reason: 'is an even number of members, which tolerates no more failures than one member fewer',
      remedy: `use ${members.length + 1}`,
    });
  }
  members.forEach(({ subnet }, index) => {
    if (parseCidr(subnet)) return;
    problems.push({
      code: 'bad-format',
      path: ['members', index, 'subnet'],
      value: subnet,
      reason: 'is not an IPv4 CIDR block',
      remedy: 'use the CIDR block of its subnet, such as "10.0.1.0/24"',
    });
  });
  for (const field of ['name', 'address'] as const) {
    const usedValues = new Set<string>();
    members.forEach((member, index) => {
      if (usedValues.has(member[field])) {
        problems.push({
          code: 'duplicate',
          path: ['members', index, field],
          value: member[field],
          reason: 'is used by another control plane node too',
          remedy: `use a different ${field} for each control plane node`,
        });
      }
      usedValues.add(member[field]);
    });
  }
  return problems;
}

function databaseProblems({ etcds, members }: ControlPlaneSpec): Problem[] {
  const problems: Problem[] = [];
  if (etcds[0]?.name !== 'main') {
    problems.push({
      code: 'required',
      path: ['etcds', 0, 'name'],
      value: etcds[0]?.name,
      reason: 'is not "main", which stores all objects without an etcd of their own',
      remedy: 'list the main etcd first',
    });
  }
  members.forEach((member, index) => {
    for (const { name } of etcds) {
      if (Object.keys(member.volumeTags[name] ?? {}).length > 0) continue;
      problems.push({
        code: 'required',
        path: ['members', index, 'volumeTags', name],
        reason: `is missing, so the control plane node would not find the volume of etcd ${name}`,
        remedy: 'use tags that only this volume has',
      });
    }
    if (Object.keys(member.interfaceTags).length === 0) {
      problems.push({
        code: 'required',
        path: ['members', index, 'interfaceTags'],
        reason: 'is empty, so the control plane node would not find its interface',
        remedy: 'use tags that only this interface has',
      });
    }
  });
  return problems;
}

/** Returns the problems of flags that this module sets itself; a planned value would be ignored. */
function flagProblems(spec: ControlPlaneSpec): Problem[] {
  const [member] = spec.members;
  if (!member) return [];
  const { flags } = spec;
  return [
    ...ownedFlags(['flags', 'kube-apiserver'], flags['kube-apiserver'], apiServerFlags(spec, member)),
    ...admissionProblems(['flags', 'kube-apiserver'], flags['kube-apiserver']),
    ...(['kube-controller-manager', 'kube-scheduler'] as const).flatMap((name) =>
      ownedFlags(['flags', name], flags[name], servingFlags(member)),
    ),
    ...spec.etcds.flatMap((etcd, index) => etcdProblems(spec, member, etcd.flags, index)),
  ];
}

const etcdProblems = (spec: ControlPlaneSpec, member: Member, flags: Flags, index: number): Problem[] =>
  ownedFlags(['etcds', index, 'flags'], flags, {
    ...etcdFlags(spec, member, spec.etcds[index]?.name ?? 'main'),
    'initial-cluster-state': 'new',
  });

const ownedFlags = (path: Problem['path'], planned: Flags, owned: Flags): Problem[] =>
  Object.keys(planned)
    .filter((name) => Object.hasOwn(owned, name))
    .map((name) => ownedFlagProblem([...path, name], planned[name]));

const kubeletPrefixes = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const kubeletLabels = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
];

/** A kubelet does not start with labels in Kubernetes' domains that nodes may not set (KEP-279). */
function labelProblems(key: string): Problem[] {
  const domain = key.includes('/') ? (key.split('/')[0] ?? '') : '';
  const within = (parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);
  const reserved = within('kubernetes.io') || within('k8s.io');
  if (!reserved || kubeletPrefixes.some(within) || kubeletLabels.includes(key)) return [];
  return [
    {
      code: 'not-available',
      path: ['labels', key],
      value: key,
      reason: 'is a label that nodes may not set on themselves',
      remedy: `use a domain of your own, or one of ${kubeletPrefixes.join(', ')}`,
    },
  ];
}

const sizeProblems = (path: Problem['path'], bytes: number, machine: string): Problem[] =>
  bytes <= userDataLimit
    ? []
    : [
        {
          code: 'out-of-range',
          path,
          value: bytes,
          reason: `results in ${bytes} bytes of compressed user data for ${machine}; EC2 allows ${userDataLimit}`,
          remedy: "put files of the profile's machine parts into the image",
        },
      ];
