import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { type SendableObject } from '../control-plane/client';

const operatorModule = 'github.com/prometheus-operator/prometheus-operator';
const version = 'v0.83.0';
const folderOf = 'example/prometheus-operator-crd';

/** Returns the CustomResourceDefinitions of PrometheusRule and PodMonitor from the Go module of the Prometheus Operator, or the reason why they are not available. */
export function operatorDefinitions():
  { readonly definitions: readonly SendableObject[] } | { readonly skipped: string } {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-operator-'));
  try {
    writeFileSync(join(folder, 'go.mod'), 'module definitions\n');
    const { error, stdout } = spawnSync('go', ['mod', 'download', '-json', `${operatorModule}@${version}`], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
    });
    if (error) return { skipped: 'there is no "go" on PATH, which fetches the module of the Prometheus Operator' };
    const { Dir: at, Error: reason = 'no answer' } = JSON.parse(stdout || '{}') as { Dir?: string; Error?: string };
    if (at === undefined) return { skipped: `the module of the Prometheus Operator cannot be had: ${reason}` };
    const definitions = ['prometheusrules', 'podmonitors'].map(
      (plural) =>
        load(readFileSync(join(at, folderOf, `monitoring.coreos.com_${plural}.yaml`), 'utf8')) as SendableObject,
    );
    return { definitions };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
