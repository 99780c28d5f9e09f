import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { parseManifest, type ManifestInput, type PlatformManifest, type Workload } from '../../lib/api';
import { type GoldenCase } from '../golden/golden-case';

/** Golden case on disk. */
export interface StoredCase {
  /** Folder name. */
  readonly name: string;
  readonly golden: GoldenCase;
  /** Workloads as users write them. */
  readonly inputs: readonly ManifestInput[];
  readonly workloads: readonly Workload[];
  /** Platform, RuntimeProfile and Projects as users write them; empty if the case uses the built-in ones. */
  readonly platformInputs: readonly ManifestInput[];
  readonly platform: readonly PlatformManifest[];
}

const folder = join(__dirname, '..', 'golden');

const documents = (path: string): readonly ManifestInput[] =>
  existsSync(path) ? (loadAll(readFileSync(path, 'utf8')) as readonly ManifestInput[]) : [];

/** All golden cases. */
export const goldenCases: readonly StoredCase[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const at = (file: string): string => join(folder, name, file);
    const inputs = documents(at('input.yaml'));
    const platformInputs = documents(at('platform.yaml'));
    return {
      name,
      golden: jest.requireActual<{ default: GoldenCase }>(at('case.ts')).default,
      inputs,
      workloads: inputs.map((input) => parseManifest(input)) as readonly Workload[],
      platformInputs,
      platform: platformInputs.map((input) => parseManifest(input)) as readonly PlatformManifest[],
    };
  });
