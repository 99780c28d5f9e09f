import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const version = 'v3.22.0';

/** Returns the path of helm, which Go builds once into the cache, or the reason why it is missing. */
export function helm(): { readonly path: string } | { readonly skipped: string } {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'pinion', `helm-${version}`);
  const path = join(folder, 'helm');
  if (existsSync(path)) return { path };
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('go', ['install', `helm.sh/helm/v3/cmd/helm@${version}`], {
      env: { ...process.env, GOBIN: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return { path };
  } catch {
    return { skipped: 'Go, which builds it, is missing or failed' };
  }
}
