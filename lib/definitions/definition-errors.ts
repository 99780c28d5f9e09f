import { schemaOfVersion, type CustomResourceDefinition, type DefinitionVersion } from './definition';
import { type DefinitionFinding } from './definition-finding';
import { schemaErrors } from './schema/schema-errors';

type DefinitionError = Omit<DefinitionFinding, 'definition'>;

/**
 * Returns why the API server would reject a definition, as far as pinion knows its rules.
 *
 * The types and the cost of CEL expressions are known only to the server.
 */
export function definitionErrors({ metadata, spec }: CustomResourceDefinition): DefinitionError[] {
  const errors: DefinitionError[] = [];
  const report = (path: string, change: string, reason: string, remedy: string, version?: string): void =>
    void errors.push({ path, class: 'refused', change, reason, remedy, ...(version !== undefined && { version }) });
  const name = `${spec.names.plural}.${spec.group}`;
  if (metadata.name !== name)
    report('metadata.name', 'invalid-name', `is not spec.names.plural.spec.group, ${name}`, 'correct the name');
  if (spec.scope !== 'Namespaced' && spec.scope !== 'Cluster')
    report('spec.scope', 'invalid-scope', `is ${String(spec.scope)}`, 'use Namespaced or Cluster');
  if (spec.preserveUnknownFields === true)
    report(
      'spec.preserveUnknownFields',
      'invalid-field',
      'is true, which v1 does not allow',
      'set x-kubernetes-preserve-unknown-fields in the schema',
    );
  const stored = spec.versions.filter(({ storage }) => storage);
  if (stored.length !== 1)
    report(
      'spec.versions',
      'storage-version-count',
      `${stored.length} versions are stored`,
      'set storage in exactly one version',
    );
  const names = spec.versions.map((version) => version.name);
  for (const repeated of names.filter((one, index) => names.indexOf(one) !== index))
    report('spec.versions', 'duplicate-version', `${repeated} occurs twice`, 'remove one of them');
  for (const version of spec.versions) {
    versionErrors(version, (path, change, reason, remedy) => report(path, change, reason, remedy, version.name));
    if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(version.name))
      report(
        'name',
        'invalid-version-name',
        `${JSON.stringify(version.name)} is not a DNS label`,
        'use a name such as v1',
        version.name,
      );
  }
  return errors;
}

type ReportError = (path: string, change: string, reason: string, remedy: string) => void;

const maxSelectableFields = 8;

function versionErrors(version: DefinitionVersion, report: ReportError): void {
  if (version.schema?.openAPIV3Schema === undefined)
    return report('schema', 'schema-missing', 'has no schema', 'add schema.openAPIV3Schema');
  const schema = schemaOfVersion(version);
  for (const { path, change, reason, remedy } of schemaErrors(schema)) report(path, change, reason, remedy);
  const { scale } = version.subresources ?? {};
  if (scale) {
    const paths = [
      ['specReplicasPath', scale.specReplicasPath, '.spec.'],
      ['statusReplicasPath', scale.statusReplicasPath, '.status.'],
    ] as const;
    for (const [key, path, start] of paths)
      if (typeof path !== 'string' || !path.startsWith(start))
        report(
          `subresources.scale.${key}`,
          'invalid-scale-path',
          `is ${JSON.stringify(path)}`,
          `start it with ${start}`,
        );
  }
  if (version.deprecationWarning !== undefined && version.deprecated !== true)
    report('deprecationWarning', 'invalid-field', 'is set for a version that is not deprecated', 'set deprecated');
  const { selectableFields = [] } = version;
  if (selectableFields.length > maxSelectableFields)
    report(
      'selectableFields',
      'invalid-field',
      `has ${selectableFields.length} fields`,
      `use at most ${maxSelectableFields}`,
    );
}
