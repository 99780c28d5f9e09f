import { loadAll } from 'js-yaml';
import { ownedFlags } from '@pinion-platform/pinion';
import { controlPlaneFiles, controlPlaneProblems } from '../../../../stacks/plan/bootstrap';
import { apiServerFlags } from '../../../../stacks/plan/bootstrap/control-plane/kubeadm-configuration';
import { controlPlane, firstControlPlaneNode } from './example-cluster';

const sending = { ...controlPlane, sendsAuditEvents: true };
const path = '/etc/kubernetes/apiserver/audit-webhook.yaml';
const webhookFlags = (spec = sending) =>
  Object.entries(apiServerFlags(spec, firstControlPlaneNode)).filter(([name]) => name.startsWith('audit-webhook'));

test('audit events go to the machine itself, in batches that no request waits for', () => {
  const file = controlPlaneFiles(sending, firstControlPlaneNode).find((one) => one.path === path);
  const [configuration] = loadAll(file?.content ?? '') as { clusters: { cluster: { server: string } }[] }[];
  expect(configuration?.clusters.map(({ cluster }) => cluster.server)).toEqual(['http://127.0.0.1:9442/events']);
  const flags = Object.fromEntries(webhookFlags());
  expect(flags).toMatchObject({ 'audit-webhook-config-file': path, 'audit-webhook-mode': 'batch' });
});

test('no batch is too large for the receiver, and no URL so long that its event is dropped', () => {
  const flags = Object.fromEntries(webhookFlags());
  const mebibyte = 1024 * 1024;
  expect(flags['audit-webhook-truncate-enabled']).toBe('true');
  // The receiver rejects batches above 32 MiB; JSON writes one byte of a URL, of at most 1 MiB, with up to six.
  expect(Number(flags['audit-webhook-truncate-max-batch-size'])).toBeLessThan(32 * mebibyte);
  expect(Number(flags['audit-webhook-truncate-max-event-size'])).toBeGreaterThan(6 * mebibyte);
  expect(Number(flags['audit-webhook-truncate-max-event-size'])).toBeLessThanOrEqual(
    Number(flags['audit-webhook-truncate-max-batch-size']),
  );
});

test('without a client monitor, there is no webhook, and a plan may have one of its own', () => {
  expect(controlPlaneFiles(controlPlane, firstControlPlaneNode).map((file) => file.path)).not.toContain(path);
  expect(webhookFlags(controlPlane)).toEqual([]);
  const own = { 'audit-webhook-config-file': '/etc/kubernetes/own.yaml' };
  const problemsOf = (spec: typeof controlPlane) =>
    controlPlaneProblems({
      ...spec,
      flags: { ...spec.flags, 'kube-apiserver': { ...spec.flags['kube-apiserver'], ...own } },
    });
  expect(problemsOf(controlPlane)).toEqual([]);
  expect(problemsOf(sending).map(({ code, path: at }) => [code, at.at(-1)])).toEqual([
    ['platform-owned', 'audit-webhook-config-file'],
  ]);
  expect(ownedFlags('kube-apiserver')).not.toContain('audit-webhook-config-file');
});
