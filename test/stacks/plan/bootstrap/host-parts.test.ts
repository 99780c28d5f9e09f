import { hostParts, controlPlaneFiles, type ProfilePart } from '../../../../stacks/plan/bootstrap';
import { controlPlane, firstControlPlaneNode } from './example-cluster';

test('the host parts of the active profile are on every machine, with the units that start them', () => {
  const files = controlPlaneFiles(controlPlane, firstControlPlaneNode);
  const modeOf = (path: string) => files.find((file) => file.path === path)?.mode;
  expect(modeOf('/etc/chrony/conf.d/pinion.conf')).toBe('0644');
  expect(modeOf('/opt/pinion/bin/memory-agent')).toBe('0755');
  expect(modeOf('/etc/systemd/system/pinion-memory-agent.timer')).toBe('0644');
  const settings = files.find(({ path }) => path === '/etc/pinion/machine.conf')?.content;
  expect(settings).toContain('HOST_UNITS=(pinion-memory-agent.timer)\n');
});

test('omits parts that no workload can request, or that need settings missing in the Platform', () => {
  const part = (name: string) => ({ machine: { packages: [name] } });
  const parts: ProfilePart[] = [
    { injection: 'OptIn', ...part('on-request') },
    { injection: 'OptOut', ...part('optional') },
    { needsValues: ['logsHost'], ...part('needy') },
    {},
  ];
  expect(hostParts(parts).packages).toEqual(['optional']);
  expect(hostParts(parts, ['logsHost']).packages).toEqual(['needy', 'optional']);
});

test('a later part overrides a file', () => {
  const parts = [{ machine: { files: { '/etc/x': '1' } } }, { machine: { files: { '/etc/x': '2' } } }];
  expect(hostParts(parts).files).toEqual({ '/etc/x': '2' });
});
