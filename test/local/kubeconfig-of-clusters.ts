import { readFileSync, writeFileSync } from 'node:fs';

interface Entries {
  readonly clusters: readonly { readonly cluster: object }[];
  readonly users: readonly { readonly user: object }[];
}

/** Writes one kubeconfig with a context for each login, which is a kubeconfig as `kubeconfigFor` writes it, or the URL of a server. */
export function kubeconfigOfClusters(file: string, logins: Readonly<Record<string, string>>): string {
  const entries = Object.entries(logins).map(([name, login]) => {
    const { clusters, users } = login.startsWith('http')
      ? { clusters: [{ cluster: { server: login } }], users: [{ user: {} }] }
      : (JSON.parse(readFileSync(login, 'utf8')) as Entries);
    return { name, cluster: clusters[0]?.cluster, user: users[0]?.user };
  });
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entries.map(({ name, cluster }) => ({ name, cluster })),
    users: entries.map(({ name, user }) => ({ name, user })),
    contexts: entries.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
