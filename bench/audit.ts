import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, ratio } from './ratio';

const rounds = 3;
const program = join(process.cwd(), 'build/bin/pinion.js');
const folder = mkdtempSync(join(tmpdir(), 'pinion-bench-load-'));
const verbs = ['get', 'list', 'update', 'patch', 'create', 'watch', 'delete'] as const;
const resources = ['pods', 'nodes', 'leases', 'configmaps', 'events', 'endpointslices', 'secrets'] as const;

/**
 * Returns an event as the API server writes it at level Metadata, 1.1 KB; a third of them from short-lived accounts.
 */
function auditLine(index: number): string {
  const verb = verbs[index % verbs.length] as string;
  const resource = resources[(index * 7) % resources.length] as string;
  const name = index % 3 === 0 ? `once-${index}` : `account-${(index * index) % 400}`;
  const user = `system:serviceaccount:team-${index % 50}:${name}`;
  const uri = `/api/v1/namespaces/team-${index % 50}/${resource}${index % 2 === 0 ? '?limit=500' : ''}`;
  return `${JSON.stringify({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: `4a6b2b2e-0000-4000-8000-${String(index).padStart(12, '0')}`,
    stage: verb === 'watch' ? 'ResponseStarted' : 'ResponseComplete',
    requestURI: uri,
    verb,
    user: {
      username: user,
      uid: 'b3c1f6a2-7a3e-4a56-9a55-3b8f7ad1c0de',
      groups: ['system:serviceaccounts', `system:serviceaccounts:team-${index % 50}`, 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/pod-name': [`${name}-5d8f6c7b9-x2x4z`] },
    },
    sourceIPs: ['10.0.12.34'],
    userAgent: 'controller/v0.0.0 (linux/amd64) kubernetes/$Format',
    objectRef: { resource, namespace: `team-${index % 50}`, name: `object-${index % 1000}`, apiVersion: 'v1' },
    responseStatus: { metadata: {}, code: index % 97 === 0 ? 409 : 200 },
    requestReceivedTimestamp: '2026-11-21T17:00:00.000000Z',
    stageTimestamp: '2026-11-21T17:00:00.004711Z',
    annotations: {
      'authorization.k8s.io/decision': 'allow',
      'authorization.k8s.io/reason': `RBAC: allowed by RoleBinding "editors/team-${index % 50}" of Role "editor" to ServiceAccount`,
    },
  })}\n`;
}

function writeLog(events: number): string {
  const file = join(folder, `audit-${events}.log`);
  const descriptor = openSync(file, 'w');
  let text = '';
  for (let index = 0; index < events; index++) {
    text += auditLine(index);
    if (text.length > 1_000_000 || index === events - 1) {
      writeSync(descriptor, text);
      text = '';
    }
  }
  closeSync(descriptor);
  return file;
}

/** Measurements of one run. */
interface Run {
  /** CPU seconds on the one core, independent of other load. */
  readonly core: number;
  /** Elapsed seconds. */
  readonly seconds: number;
  /** Peak memory. */
  readonly megabytes: number;
}

/** Runs once on one core. */
function run(file: string): Run {
  const started = performance.now();
  const args = ['-c', '0', process.execPath, '--require', join(folder, 'use.cjs'), program, 'audit', file];
  const { status, stderr } = spawnSync('taskset', args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`pinion audit exited with ${status}: ${stderr}`);
  const seconds = (performance.now() - started) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(/^USE (.*)$/m.exec(stderr)?.[1] ?? '{}') as Readonly<
    Record<string, number>
  >;
  if (userCPUTime === undefined || systemCPUTime === undefined || maxRSS === undefined)
    throw new Error(`pinion audit did not report its resource usage: ${stderr}`);
  return { core: (userCPUTime + systemCPUTime) / 1e6, seconds, megabytes: maxRSS / 1024 };
}

const formatRun = (events: number, { core, seconds, megabytes }: Run): string =>
  `${events} events ${core.toFixed(1)} s of CPU (${seconds.toFixed(1)} s elapsed), ${megabytes.toFixed(0)} MB`;

function main(): void {
  const [few, many] = [100_000, 1_000_000];
  const use =
    "process.on('exit', () => process.stderr.write('USE ' + JSON.stringify(process.resourceUsage()) + '\\n'));\n";
  writeFileSync(join(folder, 'use.cjs'), use);
  const [small, large] = [few, many].map((events) => {
    const file = writeLog(events);
    const medianRun = median(
      Array.from({ length: rounds }, () => run(file)),
      ({ core }) => core,
    );
    console.log(`${formatRun(events, medianRun)}; median of ${rounds}`);
    return medianRun;
  }) as [Run, Run];
  console.log(`load average: ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`);
  ratio('load-events-per-second-by-20000', many / large.core / 20_000, '>=', 1);
  ratio('load-memory-of-ten-times-the-events', large.megabytes / small.megabytes, '<=', 1.2);
}

try {
  main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
