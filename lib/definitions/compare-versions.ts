import { isDeepStrictEqual } from 'node:util';
import {
  schemaOfVersion,
  storedVersionsOf,
  storageVersion,
  type CustomResourceDefinition,
  type DefinitionVersion,
} from './definition';
import { compareSchemas } from './schema/compare-schemas';
import { type ReportChange } from './schema/schema-change';

/** Receives a change of one version of a definition. */
export type ReportVersionChange = (version: string, change: Parameters<ReportChange>[0]) => void;

/** Reports what changes in the versions of a definition: which exist, are served and stored, and what each contains. */
export function compareVersions(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  report: ReportVersionChange,
): void {
  const stored = storedVersionsOf(before);
  for (const [index, version] of before.spec.versions.entries()) {
    const next = after.spec.versions.find(({ name }) => name === version.name);
    const path = `spec.versions[${index}]`;
    if (next) compareVersion(version, next, (change) => report(version.name, change));
    else report(version.name, { path, ...removedVersion(version, stored.includes(version.name)) });
  }
  for (const [index, { name, served }] of after.spec.versions.entries())
    if (!before.spec.versions.some((version) => version.name === name))
      report(name, {
        ...{ path: `spec.versions[${index}]`, class: 'safe', change: 'version-added' },
        reason: `is a new version${served ? '' : ', which is not served yet'}`,
        remedy: 'none',
      });
  compareStorage(before, after, report);
}

function removedVersion({ served }: DefinitionVersion, isStored: boolean): Omit<Parameters<ReportChange>[0], 'path'> {
  if (isStored)
    return {
      ...{ class: 'refused', change: 'stored-version-removed' },
      reason: 'objects may be stored in this version (status.storedVersions), so the API server rejects its removal',
      remedy: 'store another version first, and run pinion crds migrate',
    };
  if (!served)
    return { class: 'safe', change: 'version-removed', reason: 'was neither served nor stored', remedy: 'none' };
  const remedy = 'set deprecated, move the clients, then set served to false, and remove the version after that';
  return { class: 'breaks-clients', change: 'version-removed', reason: 'requests in this version fail', remedy };
}

function compareVersion(before: DefinitionVersion, after: DefinitionVersion, report: ReportChange): void {
  if (before.served && !after.served)
    report({
      ...{
        path: 'served',
        class: 'breaks-clients',
        change: 'version-unserved',
        reason: 'requests in this version fail',
      },
      remedy: 'set deprecated, and wait until the audit log has no request in this version',
    });
  if (!before.served && after.served)
    report({ path: 'served', class: 'safe', change: 'version-served', reason: 'is served now', remedy: 'none' });
  if (before.deprecated !== after.deprecated || before.deprecationWarning !== after.deprecationWarning)
    report({
      ...{ path: 'deprecated', class: 'safe', change: 'deprecation-changed', remedy: 'none' },
      reason: `${after.deprecated === true ? 'clients get a warning' : 'clients get no warning'}`,
    });
  compareSchemas(schemaOfVersion(before), schemaOfVersion(after), '', report);
  compareSubresources(before, after, report);
  compareColumns(before, after, report);
  compareSelectable(before, after, report);
}

function compareStorage(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  report: ReportVersionChange,
): void {
  const [from, to] = [storageVersion(before)?.name, storageVersion(after)?.name];
  if (from === undefined || to === undefined || from === to) return;
  report(to, {
    ...{ path: 'storage', class: 'changes-meaning', change: 'storage-version-changed' },
    reason: `new writes are stored as ${to}, and objects that are not written stay stored as ${from}; a former definition that lacks ${to} can no longer be installed`,
    remedy: 'serve both versions, and run pinion crds migrate after the change',
  });
}

function compareSubresources(before: DefinitionVersion, after: DefinitionVersion, report: ReportChange): void {
  const [from, to] = [before.subresources ?? {}, after.subresources ?? {}];
  const path = 'subresources.status';
  if (from.status && !to.status)
    report({
      path,
      class: 'breaks-clients',
      change: 'status-removed',
      reason: 'requests to /status fail, and writes of the object change its status',
      remedy: 'keep the subresource',
    });
  if (!from.status && to.status)
    report({
      path,
      class: 'breaks-clients',
      change: 'status-added',
      reason: 'writes of the object no longer change its status; clients must write /status',
      remedy: 'update the controllers first',
    });
  compareScale(from.scale, to.scale, report);
}

type Scale = NonNullable<DefinitionVersion['subresources']>['scale'];

function compareScale(from: Scale, to: Scale, report: ReportChange): void {
  if (isDeepStrictEqual(from, to)) return;
  const path = 'subresources.scale';
  if (!from)
    return report({
      path,
      class: 'safe',
      change: 'scale-added',
      reason: 'kubectl scale and autoscalers work',
      remedy: 'none',
    });
  const [reason, remedy] = to
    ? ['the scale subresource reads other fields: autoscalers and kubectl scale see other numbers', 'keep the paths']
    : ['kubectl scale and autoscalers fail', 'keep the subresource, or remove the autoscalers first'];
  report({ path, class: 'breaks-clients', change: to ? 'scale-changed' : 'scale-removed', reason, remedy });
}

function compareColumns(before: DefinitionVersion, after: DefinitionVersion, report: ReportChange): void {
  if (isDeepStrictEqual(before.additionalPrinterColumns, after.additionalPrinterColumns)) return;
  const reason = 'kubectl get prints other columns; only programs that parse its text notice';
  report({ path: 'additionalPrinterColumns', class: 'safe', change: 'columns-changed', reason, remedy: 'none' });
}

function compareSelectable(before: DefinitionVersion, after: DefinitionVersion, report: ReportChange): void {
  const paths = ({ selectableFields = [] }: DefinitionVersion): readonly string[] =>
    selectableFields.map(({ jsonPath }) => jsonPath);
  const [from, to] = [paths(before), paths(after)];
  for (const one of from.filter((path) => !to.includes(path)))
    report({
      path: one,
      class: 'breaks-clients',
      change: 'selectable-field-removed',
      reason: 'requests that select by this field fail',
      remedy: 'keep it in selectableFields',
    });
  for (const one of to.filter((path) => !from.includes(path)))
    report({
      path: one,
      class: 'safe',
      change: 'selectable-field-added',
      reason: 'requests can select by this field',
      remedy: 'none',
    });
}
