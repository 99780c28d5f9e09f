import { parseManifest } from '../../../lib/api';
import { defaultPlatform } from '../../../lib/expand';
import { statusSchemaOf } from '../../../lib/api/schemas';
import { type Child } from '../../../lib/controller/observed/child';
import { reportPlatformResource, type PlatformReportInput } from '../../../lib/controller/report/report-platform';
import { ApiError, type LiveObject } from '../../../lib/kube';
import { childAt, conditionIn, noon } from '../report-input';

const live = (kind: string, name: string, status?: object): LiveObject => ({
  apiVersion: 'pinterest.com/v1',
  kind,
  metadata: { name, uid: 'u', resourceVersion: '1', generation: 2 },
  ...(status && { status }),
});
const workload = (name: string, runtimeProfile?: string) =>
  live('PinterestService', name, runtimeProfile === undefined ? {} : { runtimeProfile });
const desired = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'project', namespace: 'shop' } },
];
const namespace = childAt('Namespace', 'shop', { phase: 'Active' });
const quota = childAt('ResourceQuota', 'project');

type Kind = 'Project' | 'RuntimeProfile' | 'Platform';
type Seen = Partial<PlatformReportInput> & { readonly children?: readonly Child[] };

const runtime = (profile: string) => ({ ...parseManifest(defaultPlatform).spec.runtime, profile });
const reported = (kind: Kind, { children = [namespace, quota], ...rest }: Seen = {}) =>
  reportPlatformResource({
    live: live(kind, kind === 'Project' ? 'shop' : 'cluster'),
    problems: [],
    desired: kind === 'Project' ? desired : [],
    observed: {
      owned: children,
      child: (of, name) => children.find((child) => child.kind === of && child.name === name),
    },
    plan: { steps: [], blockingIssues: [], waits: false },
    rejected: [],
    workloads: [],
    runtime: runtime('default-v1'),
    now: noon,
    ...rest,
  });

const reportStatus = (kind: Kind, seen: Seen = {}) => {
  const { status } = reported(kind, seen);
  expect(statusSchemaOf(kind).safeParse(status).error?.issues ?? []).toEqual([]);
  return status;
};

test('a project is ready when its policies exist, and counts its workloads', () => {
  const status = reportStatus('Project', { workloads: [workload('a'), workload('b')] });
  expect(status).toMatchObject({ phase: 'Ready', workloads: 2, observedGeneration: 2 });
  expect(conditionIn(status, 'Ready')).toMatchObject({
    status: 'True',
    reason: 'Applied',
    message: 'All 2 objects of Project shop exist.',
  });
  expect(conditionIn(reportStatus('Project', { children: [namespace] }), 'Reconciling')?.reason).toBe('Applying');
  const going = [childAt('Namespace', 'shop', { phase: 'Terminating' }), quota];
  expect(conditionIn(reportStatus('Project', { children: going }), 'Ready')?.status).toBe('False');
});

test('blocking issues of a project are reported', () => {
  const blockingIssue = {
    reason: 'NameConflict' as const,
    kind: 'Namespace',
    name: 'shop',
    owner: 'application' as const,
    message: 'Namespace shop exists and belongs to another client.',
  };
  const conflicting = reportStatus('Project', { plan: { steps: [], blockingIssues: [blockingIssue], waits: false } });
  expect(conditionIn(conflicting, 'Stalled')).toMatchObject({ reason: 'NameConflict', message: blockingIssue.message });
  const error = new ApiError(422, 'Invalid', 'ResourceQuota "project" is invalid: spec.hard[cpus]: Invalid value');
  const rejected = reportStatus('Project', { rejected: [{ kind: 'ResourceQuota', name: 'project', error }] });
  expect(conditionIn(rejected, 'Stalled')?.message).toContain('spec.hard[cpus]');
  const problem = {
    code: 'required',
    path: ['spec', 'team'],
    reason: 'is missing',
    remedy: 'give a team',
    object: 'Project shop',
  } as const;
  const broken = reportStatus('Project', { problems: [problem], desired: [] });
  expect(conditionIn(broken, 'Stalled')?.message).toBe(
    'error required: Project shop: spec.team: is missing; give a team',
  );
  expect(broken.phase).toBe('Invalid');
});

test('a profile counts the workloads whose pods were created with it', () => {
  expect(reportStatus('RuntimeProfile', { workloads: [workload('a', 'default-v1')] })).toMatchObject({
    phase: 'Ready',
    workloads: 1,
  });
});

test('the Platform reports since when a profile is in force, and the workloads by profile', () => {
  const workloads = [
    workload('a', 'default-v2'),
    workload('b', 'default-v1'),
    workload('c', 'default-v1'),
    workload('d'),
  ];
  const first = reportStatus('Platform', { workloads });
  expect(first).toMatchObject({
    workloads: 4,
    runtime: { profile: 'default-v1', since: '2026-03-01T12:00:00Z' },
    profiles: { 'default-v1': 2, 'default-v2': 1 },
  });
  const later = { live: live('Platform', 'cluster', first), now: noon + 3_600_000 };
  expect(reportStatus('Platform', { workloads, ...later })).toEqual(first);
  expect(reportStatus('Platform', { ...later, runtime: runtime('default-v2') })).toMatchObject({
    runtime: { profile: 'default-v2', since: '2026-03-01T13:00:00Z' },
  });
});

test('a project records its readiness once and its stall once', () => {
  const blockingIssue = {
    reason: 'NameConflict' as const,
    kind: 'Namespace',
    name: 'shop',
    owner: 'application' as const,
    message: 'Namespace shop exists and belongs to another client. Give Project shop another name.',
  };
  const conflict = { plan: { steps: [], blockingIssues: [blockingIssue], waits: false } };
  const after = (status: object, seen: Seen = {}) =>
    reported('Project', { live: live('Project', 'shop', status), ...seen });
  const ready = reported('Project');
  expect(ready.events).toEqual([{ type: 'Normal', reason: 'Ready', message: 'All 2 objects of Project shop exist.' }]);
  expect(after(ready.status).events).toEqual([]);
  const stalled = after(ready.status, conflict);
  expect(stalled.events).toEqual([{ type: 'Warning', reason: 'NameConflict', message: blockingIssue.message }]);
  expect(after(stalled.status, conflict).events).toEqual([]);
  expect(after(stalled.status).events).toMatchObject([{ reason: 'Ready' }]);
  expect(reported('Project', { children: [] }).events).toEqual([]);
});
