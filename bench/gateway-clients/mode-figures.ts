import { readFileSync, statSync } from 'node:fs';
import { type AuditEvent, type AuditMark } from '../../test/control-plane/audit';
import { type ControlPlane } from '../../test/control-plane/control-plane';
import { processorTime } from '../processor-time';
import { clientKinds, type ClientKind, type ProgramResults } from './client-plan';

/** What one run of the mix cost. */
export interface ModeFigures {
  /** Reads at the API server, by what they are. */
  readonly reads: ReadonlyMap<string, number>;
  /** Operations of clients that succeeded, and that failed. */
  readonly operations: number;
  readonly failed: number;
  /** CPU seconds of the API server, and of the gateway. */
  readonly cpu: { readonly apiServer: number; readonly gateway: number };
  /** Bytes that the API server wrote to connections, those of etcd included. */
  readonly bytes: number;
  readonly results: ProgramResults;
  /** Milliseconds of the operations of pollers and readers. */
  readonly p50: number;
  readonly p99: number;
}

const readVerbs = ['get', 'list', 'watch'];
/** Kinds whose operations are single reads. */
const readers: readonly ClientKind[] = ['controller-runtime', 'python', 'poller', 'lib-client-reader'];

/** Starts to measure; the returned function ends that, when the clients are done. */
export function measureMode(
  controlPlane: ControlPlane,
  gateway: number | undefined,
): (results: ProgramResults) => ModeFigures {
  const apiServer = controlPlane.part('kube-apiserver').pid;
  const mark = controlPlane.audit.mark();
  const now = () => ({
    apiServer: processorTime(apiServer),
    gateway: gateway === undefined ? 0 : processorTime(gateway),
    bytes: bytesWritten(apiServer) - statSync(controlPlane.auditLog).size,
  });
  const before = now();
  return (results) => {
    const after = now();
    const reads = readsSince(controlPlane, mark);
    const all = Object.values(results);
    const times = readers.flatMap((kind) => results[kind]?.milliseconds ?? []);
    return {
      reads,
      operations: all.reduce((sum, { milliseconds }) => sum + milliseconds.length, 0),
      failed: all.reduce((sum, { failed }) => sum + failed, 0),
      cpu: { apiServer: after.apiServer - before.apiServer, gateway: after.gateway - before.gateway },
      bytes: after.bytes - before.bytes,
      results,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
    };
  };
}

const discovery = 'discovery';
const sumOf = (counts: readonly (readonly [string, number])[]): number =>
  counts.reduce((sum, [, count]) => sum + count, 0);

/** Returns the number of reads at the API server. */
export const readCountOf = ({ reads }: ModeFigures): number => sumOf([...reads]);

/** Returns the same without those of discovery. */
export const resourceReadCountOf = ({ reads }: ModeFigures): number =>
  sumOf([...reads].filter(([what]) => !what.endsWith(discovery)));

/** Returns a quantile of unsorted numbers; 0 if there are none. */
export function quantile(all: readonly number[], share: number): number {
  const sorted = [...all].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Bytes that a process passed to `write`, to files and connections. */
const bytesWritten = (pid: number): number =>
  Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);

/** Counts reads of clients and of the gateway at the API server; those of the server itself and of the benchmark are not among them. */
function readsSince(controlPlane: ControlPlane, mark: AuditMark): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const event of controlPlane.audit.read(mark)) {
    if (!readVerbs.includes(event.verb)) continue;
    const reader = readerOf(event);
    if (reader === undefined) continue;
    const what = `${reader} ${event.verb} ${event.objectRef?.resource ?? discovery}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

/** Returns the kind of the client, or the name of the service account. */
function readerOf({ user, impersonatedUser }: AuditEvent): string | undefined {
  const { username } = impersonatedUser ?? user;
  return /^system:serviceaccount:[^:]+:(.*)$/.exec(username)?.[1];
}

/** Returns what the clients of each kind did, one line for each. */
export const linesOfKinds = ({ results }: ModeFigures): readonly string[] =>
  (Object.keys(clientKinds) as ClientKind[]).map((kind) => {
    const { milliseconds = [], failed = 0, error } = results[kind] ?? {};
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(milliseconds, share).toFixed(0));
    const failures = failed > 0 ? `, ${failed} failed: ${(error ?? '').slice(0, 200)}` : '';
    return `  ${kind}: ${milliseconds.length}, p50 ${p50} ms, p99 ${p99} ms${failures}`;
  });
