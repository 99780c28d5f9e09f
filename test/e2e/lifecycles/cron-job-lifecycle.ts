import { type ManifestInput } from '../../../lib/api';
import { podBehavior } from '../../control-plane/pod-behavior';
import { KubectlView } from '../kubectl-view';
import { type PinionCluster, isTrue, smallTemplate, workloadOf } from '../pinion-suite';

type Spec = ManifestInput<'PinterestCronJob'>['spec'];

/** Defines the tests of the lifecycle of a cron job on a cluster that other tests use, too. */
export const cronJobLifecycle = (pinion: () => PinionCluster): void =>
  describe('lifecycle of a cron job', () => {
    const namespace = 'reports';
    const kind = 'PinterestCronJob';
    const kubectl = new KubectlView(pinion, () => namespace);
    const apply = (fields: Partial<Spec> = {}) =>
      pinion().apply(
        workloadOf(kind, namespace, 'hourly', { schedule: '0 * 1 1 *', template: smallTemplate(), ...fields }),
      );
    const ready = () => pinion().ready(kind, namespace, 'hourly', 90_000);
    const runNow = (run: string) => kubectl.run('create', 'job', run, '--from=cronjob/hourly');

    beforeAll(async () => {
      await pinion().project(namespace);
    }, 60_000);

    test('becomes Ready once its schedule is set, and kubectl shows it', async () => {
      await apply();
      const live = await ready();
      expect(live.status?.phase).toBe('Scheduled');
      expect((await kubectl.object('cronjob', 'hourly'))?.metadata.ownerReferences).toEqual([
        expect.objectContaining({ kind, name: 'hourly' }),
      ]);
      const [row] = await kubectl.table('pcj', 'hourly', '-o', 'wide');
      expect(row).toMatchObject({ READY: 'True', SCHEDULE: '0 * 1 1 *', SUSPEND: 'false', REASON: 'Scheduled' });
      expect(await kubectl.run('wait', '--for=condition=Ready', 'pcj/hourly', '--timeout=30s')).toContain(
        'condition met',
      );
      expect(await kubectl.run('explain', 'pcj.spec.schedule')).toContain('Schedule, as a cron expression');
      expect((await kubectl.run('describe', 'pcj', 'hourly')).match(/Normal +Ready /g)).toHaveLength(1);
    }, 120_000);

    test('completes a manual run including its sidecars', async () => {
      await runNow('first');
      await kubectl.run('wait', '--for=condition=Complete', 'job/first', '--timeout=90s');
      expect(isTrue(await ready(), 'Ready')).toBe(true);
    }, 150_000);

    test('applies a change to later runs only: a running Job keeps its spec', async () => {
      await apply({ template: smallTemplate({ [podBehavior.exitAfter]: 'never' }) });
      await ready();
      await runNow('long');
      const before = await kubectl.until('job', 'long', ({ status }) => status?.['ready'] === 1);
      await apply({ schedule: '30 4 1 1 *', timeZone: 'Europe/Berlin' });
      await ready();
      expect((await kubectl.object('cronjob', 'hourly'))?.spec).toMatchObject({
        schedule: '30 4 1 1 *',
        timeZone: 'Europe/Berlin',
      });
      expect((await kubectl.object('job', 'long'))?.metadata.uid).toBe(before.metadata.uid);
      expect((await kubectl.object('job', 'long'))?.status).toMatchObject({ ready: 1 });
      await kubectl.run('delete', 'job', 'long');
    }, 150_000);

    test('keeps configuration until the run that uses it is deleted', async () => {
      const settings = (level: string): Partial<Spec> => ({
        config: { files: { '/etc/report.yaml': `level: ${level}\n` } },
      });
      const own = async () => (await kubectl.names('configmap')).filter((name) => name.includes('hourly-config-'));
      await apply({ ...settings('info'), template: smallTemplate({ [podBehavior.exitAfter]: 'never' }) });
      await ready();
      const [old = ''] = await own();
      await runNow('reader');
      await kubectl.until('job', 'reader', ({ status }) => status?.['ready'] === 1);
      await apply(settings('debug'));
      await ready();
      expect(await own()).toEqual(expect.arrayContaining([old]));
      await kubectl.run('delete', 'job', 'reader');
      await apply({ ...settings('debug'), suspend: true });
      await kubectl.gone(
        'configmap',
        (await kubectl.names('configmap')).filter((name) => name !== old),
      );
    }, 240_000);

    test('reports Ready while suspended and is scheduled again after it resumes', async () => {
      await apply({ suspend: true });
      expect((await ready()).status?.phase).toBe('Suspended');
      const [row] = await kubectl.table('pcj', 'hourly');
      expect(row).toMatchObject({ SUSPEND: 'true', READY: 'True' });
      await apply({ suspend: false });
      expect((await ready()).status?.phase).toBe('Scheduled');
    }, 150_000);

    test('deletes its schedule and runs with it', async () => {
      await runNow('last');
      await kubectl.run('delete', 'pcj', 'hourly');
      await kubectl.gone('cronjob,job,pods');
      expect(await kubectl.names('configmap,serviceaccount')).toEqual([
        'configmap/kube-root-ca.crt',
        'serviceaccount/default',
        'serviceaccount/deployer',
      ]);
    }, 150_000);
  });
