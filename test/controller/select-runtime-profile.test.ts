import { parseManifest } from '../../lib/api';
import { selectRuntimeProfile, type ProfileSelectionInput } from '../../lib/controller/select-runtime-profile';
import { defaultPlatform } from '../../lib/expand';

const day = 86_400_000;
const choose = (choice: Partial<ProfileSelectionInput>, rollout: 'Immediate' | 'OnNextDeploy' = 'OnNextDeploy') => {
  const { runtime } = parseManifest(defaultPlatform).spec;
  return selectRuntimeProfile({
    runtime: { ...runtime, profile: 'default-2', rollout, rolloutDeadline: '14d' },
    currentSince: 0,
    recorded: 'default-1',
    redeployed: false,
    withdrawn: false,
    running: false,
    profileState: () => 'different',
    isHeld: () => false,
    now: day,
    ...choice,
  });
};

describe('the runtime profile of a workload', () => {
  it('is the one in force for a workload without one', () => {
    expect(choose({ recorded: undefined })).toEqual({ profile: 'default-2' });
  });

  it('stays the old one until the next deploy, and reports the deadline', () => {
    expect(choose({})).toEqual({ profile: 'default-1', changesAt: 14 * day });
  });

  it('is the new one with the next deploy', () => {
    expect(choose({ redeployed: true })).toEqual({ profile: 'default-2' });
  });

  it('is the new one after the deadline, deployed or not', () => {
    expect(choose({ now: 14 * day })).toEqual({ profile: 'default-2' });
    expect(choose({ now: 14 * day - 1 }).profile).toBe('default-1');
  });

  it('is the new one at once if the rollout is immediate', () => {
    expect(choose({}, 'Immediate')).toEqual({ profile: 'default-2' });
  });

  it('does not change during a run, whatever the rollout', () => {
    expect(choose({ running: true, redeployed: true, now: 100 * day }, 'Immediate')).toEqual({
      profile: 'default-1',
    });
  });

  it('keeps its name if the new one is equal, so that no pod restarts for a name', () => {
    expect(choose({ profileState: () => 'same' }, 'Immediate')).toEqual({ profile: 'default-1' });
  });

  it('is the new one if the old one is missing, even during a run', () => {
    expect(choose({ profileState: () => 'missing', running: true })).toEqual({ profile: 'default-2' });
  });

  it('stays the old one while the canary blocks it, whatever the time', () => {
    const held = { isHeld: () => true };
    expect(choose(held, 'Immediate')).toEqual({ profile: 'default-1' });
    expect(choose({ ...held, now: 20 * day })).toEqual({ profile: 'default-1' });
    expect(choose(held)).toEqual({ profile: 'default-1', changesAt: 14 * day });
  });

  it('stays the old one with a deploy while the canary blocks the new one, so that a fix does not meet a failing part', () => {
    const held = { isHeld: () => true, redeployed: true };
    expect(choose(held, 'Immediate')).toEqual({ profile: 'default-1' });
    expect(choose(held)).toEqual({ profile: 'default-1', changesAt: 14 * day });
  });

  it('is the current one immediately if the old one was withdrawn, whatever the rollout and the canary', () => {
    const withdrawn = { withdrawn: true, isHeld: () => true };
    expect(choose(withdrawn)).toEqual({ profile: 'default-2' });
    expect(choose({ ...withdrawn, currentSince: undefined })).toEqual({ profile: 'default-2' });
    expect(choose({ ...withdrawn, running: true })).toEqual({ profile: 'default-1' });
  });

  it('stays the old one until the start of the new one is recorded, which the way back needs', () => {
    const unrecorded = { currentSince: undefined, now: 100 * day };
    expect(choose(unrecorded)).toEqual({ profile: 'default-1' });
    expect(choose(unrecorded, 'Immediate')).toEqual({ profile: 'default-1' });
    expect(choose({ ...unrecorded, redeployed: true })).toEqual({ profile: 'default-2' });
  });
});
