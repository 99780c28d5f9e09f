import { readFileSync } from 'node:fs';

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority': string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

/** Reads where and as whom a kubeconfig of the benchmarks logs in. */
export function readKubeconfig(file: string): {
  readonly url: string;
  readonly authorityFile: string;
  readonly token: string;
} {
  const { clusters, users } = JSON.parse(readFileSync(file, 'utf8')) as Kubeconfig;
  const { server: url, 'certificate-authority': authorityFile } = clusters[0].cluster;
  return { url, authorityFile, token: users[0].user.token };
}

/** Reads where and as whom a kubeconfig logs in, with the authority in PEM. */
export function readLogin(file: string): { readonly url: string; readonly authority: string; readonly token: string } {
  const { url, authorityFile, token } = readKubeconfig(file);
  return { url, authority: readFileSync(authorityFile, 'utf8'), token };
}
