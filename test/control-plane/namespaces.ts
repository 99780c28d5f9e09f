import { randomBytes } from 'node:crypto';
import { expectStatus } from './api-response';
import { type Client } from './client';

/** Creates a namespace with a unique name and waits until pods are admitted in it; returns the name. */
export async function createNamespace(
  client: Client,
  prefix = 'test',
  labels: Readonly<Record<string, string>> = {},
): Promise<string> {
  const name = `${prefix}-${randomBytes(4).toString('hex')}`;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
  expectStatus(await client.create(namespace), [201]);
  await waitUntilNamespaceWorks(client, name);
  return name;
}

/** Waits for the default service account: before the controller manager creates it, no pod is admitted. */
export async function waitUntilNamespaceWorks(client: Client, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  await client.waitFor(
    `pods to be admitted in ${name}`,
    async () => (await client.request('GET', path)).status === 200,
  );
}
