import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type MachineFile } from '../../../../stacks/plan/bootstrap';

/** Writes the files of a machine under a new folder; returns the folder. */
export function machineRoot(files: readonly MachineFile[]): string {
  const root = mkdtempSync(join(tmpdir(), 'pinion-machine-'));
  for (const { path, content, mode } of files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content, { mode: Number.parseInt(mode, 8) });
  }
  return root;
}
