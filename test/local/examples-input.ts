import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersion, isWorkflow, type ManifestInput } from '../../lib/api';
import { readDocuments } from '../../lib/yaml';

const folder = join(__dirname, '..', '..', 'examples');

/** Returns the manifests of all YAML examples, with a Project for each namespace that has none of its own. */
export function examplesInput(): readonly ManifestInput[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    // Hidden folders belong to other programs.
    (name) => name.endsWith('.yaml') && !/(^|[\\/])\./.test(name),
  );
  const documents = files.sort().flatMap((name) => {
    const { documents: read, problems } = readDocuments(readFileSync(join(folder, name), 'utf8'), name);
    if (problems.length > 0) throw new Error(`examples/${name} cannot be read`);
    return read.map(({ value }) => value as ManifestInput).filter((value) => !isWorkflow(value));
  });
  const known = new Set(documents.filter(({ kind }) => kind === 'Project').map(({ metadata }) => metadata.name));
  const missing = [...new Set(documents.map(({ metadata }) => metadata.namespace))].filter(
    (namespace) => namespace !== undefined && !known.has(namespace),
  ) as string[];
  const projects = missing.map((name): ManifestInput => ({
    apiVersion,
    kind: 'Project',
    metadata: { name },
    spec: { team: name },
  }));
  const isProject = ({ kind }: ManifestInput) => kind === 'Project';
  return [...projects, ...documents.filter(isProject), ...documents.filter((document) => !isProject(document))];
}
