import { metadataKeys } from '../../lib/api';
import { resourceOf } from '../../lib/kube';
import { type AuditEvent } from '../../test/control-plane/audit';
import { ratio } from '../ratio';
import { auditTime } from './audit-time';
import { controllerUser } from './bench-cluster';
import { type Fleet } from './fleet';
import { progress, printLine } from './progress';
import { sleep } from './sleep';
import { objectsOf } from './services';
import { type Sizes } from './sizes';

/** Measures how long another user's edit of one object persists, by audit times. */
export async function drift(fleet: Fleet, { edits }: Sizes): Promise<void> {
  const { bench } = fleet;
  const mark = bench.cluster.audit.mark();
  for (let index = 0; index < edits; index++) {
    progress(`drift: ${index} of ${edits}`);
    await editOne(fleet, Math.floor((index * fleet.services.length) / edits), index);
    await sleep(200 + Math.random() * 200);
  }
  await sleep(5000);
  const times = healingTimes(bench.cluster.audit.since(mark));
  if (times.length !== edits) throw new Error(`${times.length} of ${edits} edits were corrected`);
  times.sort((a, b) => a - b);
  const quantile = (share: number): number =>
    times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)] ?? 0;
  printLine(
    `drift: corrected after ${[0.5, 0.9, 0.99, 1].map((share) => `${quantile(share).toFixed(1)} ms`).join(', ')} (p50, p90, p99, max)`,
  );
  ratio('drift-corrected-milliseconds-p99', quantile(0.99), '<=', 250);
}

/** Edits a label that the controller owns on one object of a service. */
export async function editOne({ bench, services }: Fleet, index: number, value: number): Promise<void> {
  const service = services[index];
  if (!service) throw new Error(`there is no service ${index}`);
  const objects = objectsOf(service);
  const { kind, metadata } = objects[index % objects.length] ?? {};
  const namespace = service.metadata.namespace ?? '';
  const labels = { [metadataKeys.team]: `team-${value}` };
  await bench.admin.patch(resourceOf(kind ?? ''), { namespace, name: metadata?.name ?? '' }, { metadata: { labels } });
}

/** Returns the milliseconds from each edit to the controller's next write to the same object. */
function healingTimes(events: readonly AuditEvent[]): number[] {
  const pendingEdits = new Map<string, number>();
  const times: number[] = [];
  for (const { verb, user, objectRef, stageTimestamp, responseStatus } of events) {
    if (verb !== 'patch' || objectRef?.subresource !== undefined || (responseStatus?.code ?? 500) > 201) continue;
    const objectKey = `${objectRef?.resource}/${objectRef?.namespace}/${objectRef?.name}`;
    const time = auditTime(stageTimestamp);
    const editTime = pendingEdits.get(objectKey);
    if (user.username === 'admin') pendingEdits.set(objectKey, time);
    else if (user.username === controllerUser && editTime !== undefined) {
      times.push(time - editTime);
      pendingEdits.delete(objectKey);
    }
  }
  return times;
}
