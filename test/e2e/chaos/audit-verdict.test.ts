import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Audit } from '../../control-plane/audit';
import { controllerUser } from '../pinion-suite';
import { leadershipVerdict } from './audit-verdict';

/** A second of a log, who asked, and for what. */
type Entry = readonly [second: number, process: string, resource: string, code?: number];

describe('who wrote without holding the lease', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-audit-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const verdictOn = (entries: readonly Entry[]): string[] => {
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
    return leadershipVerdict(new Audit(file), { offset: 0 });
  };

  test('a leader that renews may write, and so may its successor', () => {
    const first: Entry[] = [1, 3, 5].map((second) => [second, 'chaos-1', 'leases']);
    expect(
      verdictOn([...first, [6, 'chaos-1', 'deployments'], [25, 'chaos-2', 'leases'], [26, 'chaos-2', 'jobs']]),
    ).toEqual([]);
  });

  test('a leader that was followed by another one may not', () => {
    const log: Entry[] = [
      [1, 'chaos-1', 'leases'],
      [20, 'chaos-2', 'leases'],
      [20, 'chaos-2', 'jobs'],
      [21, 'chaos-1', 'jobs'],
    ];
    expect(verdictOn(log)).toEqual([
      expect.stringMatching(/chaos-2 update.*chaos-1 held the lease/),
      expect.stringMatching(/chaos-1 update.*chaos-2 held the lease/),
    ]);
  });

  test('nor one whose lease has run out, nor anybody before the first', () => {
    const late: Entry[] = [
      [1, 'chaos-1', 'leases'],
      [17, 'chaos-1', 'events'],
    ];
    expect(verdictOn(late)).toEqual([expect.stringMatching(/it had renewed the lease 16000 ms before/)]);
    expect(verdictOn([[1, 'chaos-1', 'jobs']])).toEqual([expect.stringMatching(/nobody held the lease/)]);
  });

  test('what was refused was not written, and a log without any write proves nothing', () => {
    const log: Entry[] = [
      [1, 'chaos-1', 'leases'],
      [2, 'chaos-2', 'jobs', 409],
      [3, 'chaos-1', 'jobs'],
    ];
    expect(verdictOn(log)).toEqual([]);
    expect(verdictOn(log.slice(0, 2))).toEqual([expect.stringMatching(/no write of a controller/)]);
  });
});
