import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../control-plane/command';
import { ImpactProof, shippedCommandLine } from '../impact-proof';
import { type RolloutFleet, rolloutPlatform, rolloutProfile, wholeWaves } from '../rollout-fleet';

/** Defines a test of a rollout that requires the approval of its impact. */
export function defineApprovedImpact(fleet: RolloutFleet): void {
  const { pinion } = fleet;

  test('a change is held until the digest of its report is approved, and another digest is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-approval-'));
    const proof = new ImpactProof(pinion, folder, { timeout: 60_000, interval: 1000 });
    const approve = (digest: string) => {
      const args = ['rollout', 'approve', digest, '--timeout', '10s', '--kubeconfig', pinion().cluster.kubeconfig];
      return runCommand(process.execPath, [shippedCommandLine, ...args], '', {});
    };
    try {
      const former = await fleet.profiles();
      await fleet.apply(rolloutProfile('approved', '91'));
      const platform = rolloutPlatform('approved', { rollouts: { ...wholeWaves, requireApproval: true } });
      const { digest = '' } = await proof.impactOf([platform]);
      const name = await fleet.change(platform);
      const { impact } = await fleet.rollout(name, ({ reason }) => reason === 'ImpactNotApproved');
      expect(impact).toBe(digest);
      // A workload like others does not change the digest.
      fleet.more.push('same');
      await fleet.deploy('same', '1');
      await pinion().ready('PinterestService', 'late', 'same', 90_000);
      expect((await proof.impactOf([])).digest).toBe(digest);
      const other = `sha256:${'0'.repeat(64)}`;
      expect(await approve(other)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${name} has the impact ${digest}, not ${other}`) as string,
      });
      await fleet.patch(name, { approvedImpact: other });
      await fleet.rollout(name, ({ message = '' }) => message.includes(`spec.approvedImpact is ${other}`));
      expect(await fleet.profiles()).toMatchObject(former);
      expect(await approve(digest)).toMatchObject({ code: 0 });
      await fleet.inPhase(name, 'Completed');
      expect(await fleet.profiles()).toEqual(fleet.allOn('approved'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 240_000);
}
