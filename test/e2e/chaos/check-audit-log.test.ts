import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Audit } from '../../control-plane/audit';
import { controllerUser } from '../pinion-suite';
import { checkLeadership } from './check-audit-log';

/** Entry of the log: second, process, resource and status code. */
type Entry = readonly [second: number, process: string, resource: string, code?: number];

describe('the check of leadership', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-audit-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const problemsFor = (entries: readonly Entry[]): string[] => {
    const file = join(folder, 'audit.log');
    const lines = entries.map(([second, process, resource, code = 200]) => {
      const at = (milliseconds: number): string => new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString();
      return JSON.stringify({
        auditID: 'a',
        stage: 'ResponseComplete',
        requestURI: `/${resource}`,
        verb: 'update',
        user: { username: controllerUser },
        userAgent: `pinion-controller ${process}`,
        objectRef: { resource },
        responseStatus: { code },
        requestReceivedTimestamp: at(second * 1000),
        stageTimestamp: at(second * 1000 + 10),
      });
    });
    writeFileSync(file, `${lines.join('\n')}\n`);
    return checkLeadership(new Audit(file), { offset: 0 });
  };

  test('allows writes of a leader that renews its lease, and of its successor', () => {
    const first: Entry[] = [1, 3, 5].map((second) => [second, 'chaos-1', 'leases']);
    expect(
      problemsFor([...first, [6, 'chaos-1', 'deployments'], [25, 'chaos-2', 'leases'], [26, 'chaos-2', 'jobs']]),
    ).toEqual([]);
  });

  test('reports writes of a leader after its successor took over', () => {
    const log: Entry[] = [
      [1, 'chaos-1', 'leases'],
      [20, 'chaos-2', 'leases'],
      [20, 'chaos-2', 'jobs'],
      [21, 'chaos-1', 'jobs'],
    ];
    expect(problemsFor(log)).toEqual([
      expect.stringMatching(/chaos-2 update.*chaos-1 held the lease/),
      expect.stringMatching(/chaos-1 update.*chaos-2 held the lease/),
    ]);
  });

  test('reports writes after the lease expired and before the first lease', () => {
    const late: Entry[] = [
      [1, 'chaos-1', 'leases'],
      [17, 'chaos-1', 'events'],
    ];
    expect(problemsFor(late)).toEqual([expect.stringMatching(/it had renewed the lease 16000 ms before/)]);
    expect(problemsFor([[1, 'chaos-1', 'jobs']])).toEqual([expect.stringMatching(/no controller held the lease/)]);
  });

  test('ignores rejected writes, and reports a log without writes', () => {
    const log: Entry[] = [
      [1, 'chaos-1', 'leases'],
      [2, 'chaos-2', 'jobs', 409],
      [3, 'chaos-1', 'jobs'],
    ];
    expect(problemsFor(log)).toEqual([]);
    expect(problemsFor(log.slice(0, 2))).toEqual([expect.stringMatching(/no write of a controller/)]);
  });
});
