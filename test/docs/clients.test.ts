import { practices } from '../../lib/operations';
import { auditWebhookFlags } from '../../stacks/plan/bootstrap/control-plane/audit-webhook';
import { pageText, tableOf } from './page-tables';

test('its table has each practice with its threshold, reason and remedy', () => {
  expect(tableOf(pageText('clients.md'), 'practices')).toEqual(
    Object.entries(practices).map(([name, { threshold, reason, remedy }]) => [name, threshold, reason, remedy]),
  );
});

test('the flags of the audit webhook are those of the cluster stack', () => {
  const path = '/etc/kubernetes/apiserver/audit-webhook.yaml';
  const flags = Object.entries(auditWebhookFlags(path)).map(([name, value]) => `--${name}=${value}`);
  expect(pageText('clients.md')).toContain(`\n${flags.join('\n')}\n`);
});
