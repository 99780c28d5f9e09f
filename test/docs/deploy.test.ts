import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asked, service } from '../cli/served';
import { frame, id, makeCheck, makeDeployment, makeEvent, makeProject, makeWorkload } from '../contract/made';

const page = readFileSync(join(__dirname, '../../docs/deploy.md'), 'utf8');

/** Command lines of the page and what it shows of their output. */
const shown = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  .map(([, block = '']) => block.replace(/^\$ /, '').trimEnd().split('\n'))
  .filter(([command = '']) => command.startsWith('pinion '))
  .map(([command = '', ...lines]) => ({ argv: command.split(' ').slice(1), lines }));

test('its commands work as they stand, and print what it shows', async () => {
  const workload = { kind: 'PinterestService', name: 'cart' } as const;
  const former = makeDeployment('ready', { version: '1.4.1', intent: 'rollBack' });
  const times = { startedAt: '2026-11-21T14:00:01Z', endedAt: '2026-11-21T14:02:11Z' };
  let newest = makeDeployment('ready', times);
  const events = [
    makeEvent(1, 'applying'),
    makeEvent(2, 'settling', { target: 'prod-1', workload, message: '2/3 ready' }),
    makeEvent(3, 'ready'),
  ];
  service.replies = {
    check: () => ({ value: makeCheck() }),
    deploy: () => ({ value: makeDeployment('pending') }),
    follow: () => ({
      stream: (response) =>
        void response.end(
          (newest === former ? [makeEvent(1, 'ready', { at: events[2]?.at ?? '' })] : events).map(frame).join(''),
        ),
    }),
    deployment: () => ({ value: newest }),
    projects: () => ({ value: { items: [makeProject()] } }),
    workloads: () => ({ value: { items: [makeWorkload('cart')] } }),
    deployments: () => ({ value: { items: [makeDeployment('ready', times)] } }),
    rollBack: () => {
      newest = former;
      return { value: { ...former, phase: 'pending' } };
    },
  };
  expect(shown.map(({ argv: [verb] }) => verb)).toEqual(['diff', 'deploy', 'status', 'status', 'rollback', 'history']);
  for (const { argv, lines } of shown) {
    const { code, out, err } = await asked(argv);
    const printed = `${err}${out}`.trimEnd().split('\n');
    expect([argv, code, lines.length > 0 ? printed : []]).toEqual([argv, 0, lines]);
  }
  expect(page).toContain(id);
});
