import { metadataKeys, ownedPodFields, recommended, valueAt } from '../../../api';
import { versionOfImage, type PlatformContext } from '../../../expand';
import { podWithoutDefaults } from './pod-defaults';
import {
  durationUnless,
  entriesAt,
  fieldsAt,
  fieldIfSet,
  isSame,
  labelsAt,
  numberAt,
  textAt,
  without,
  type Fields,
} from './fields';
import { withLabelValues } from './label-variables';
import { type NativeObject } from './native-object';
import { type AddNote } from './note';
import { defaultAccount } from './role-bindings';
import { serviceLinksOf } from './service-links';
import { withoutToolKeys } from './tool-keys';

/** A converted pod template: the template of the manifest, and fields of the workload. */
export interface ImportedTemplate {
  readonly template: Fields;
  readonly fields: Fields;
}

/** Inputs for converting a pod template. */
export interface TemplateSource {
  /** `metadata` and `spec` of the pods. */
  readonly template: Fields;
  readonly cluster: PlatformContext;
  /** Service account of the pods, if known. */
  readonly account: NativeObject | undefined;
  /** Whether a role binding names the default service account of the namespace. */
  readonly isDefaultBound: boolean;
  /** Whether the custom resource generates the same service account. */
  readonly hasOwnAccount?: boolean;
  /** Default grace period of the kind, in seconds. */
  readonly grace: number;
  /** Pod fields that the kind supports itself. */
  readonly supportedPodFields?: readonly string[];
  readonly note: AddNote;
}

const scrape = 'prometheus.io';
const zoneKey = 'topology.kubernetes.io/zone';

/** Converts a native pod template; pod fields that the platform owns become fields of the workload. */
export function importTemplate(source: TemplateSource): ImportedTemplate {
  const { template, supportedPodFields = [] } = source;
  const { metadata, metrics, version } = metadataOf(template);
  const spec = withLabelValues(podWithoutDefaults(fieldsAt(template, 'spec')), template, source.note);
  const account = accountFields(spec, source);
  const tier = tierFields(spec, source);
  const scheduling = placementFields(spec, source, supportedPodFields.includes('tolerations'));
  const convertedFields = new Set(['restartPolicy', 'priority', ...supportedPodFields]);
  for (const [field, remedy] of Object.entries(ownedPodFields)) {
    if (spec[field] === undefined || convertedFields.has(field) || handled.has(field)) continue;
    source.note(`template.spec.${field}`, `is set by the platform; ${remedy}`);
  }
  const kept = { ...without(spec, ...Object.keys(ownedPodFields), 'nodeSelector'), ...serviceLinksOf(spec) };
  return {
    template: { ...metadata, spec: { ...kept, ...fieldIfSet('nodeSelector', scheduling.nodeSelector) } },
    fields: {
      ...account,
      ...tier,
      ...metrics,
      ...version,
      ...fieldIfSet('placement', scheduling.placement),
      ...fieldIfSet(
        'termination',
        durationUnless('gracePeriod', numberAt(spec, 'terminationGracePeriodSeconds'), source.grace),
      ),
    },
  };
}

/** Pod fields that the functions below convert. */
const handled = new Set([
  'serviceAccount',
  'serviceAccountName',
  'automountServiceAccountToken',
  'priorityClassName',
  'terminationGracePeriodSeconds',
  'tolerations',
]);

function metadataOf(template: Fields): Readonly<Record<'metadata' | 'metrics' | 'version', Fields>> {
  const given = withoutToolKeys(labelsAt(template, 'metadata', 'labels'));
  const labels = without(given, ...Object.values(recommended));
  const version = given[recommended.version];
  const image = textAt(template, 'spec', 'containers', 0, 'image') ?? '';
  const annotations = withoutToolKeys(labelsAt(template, 'metadata', 'annotations'));
  const port = Number(annotations[`${scrape}/port`]);
  const isScraped = annotations[`${scrape}/scrape`] === 'true' && Number.isInteger(port) && port > 0;
  const path = annotations[`${scrape}/path`];
  const rest = isScraped ? without(annotations, `${scrape}/scrape`, `${scrape}/port`, `${scrape}/path`) : annotations;
  const metadata = { ...fieldIfSet('labels', labels), ...fieldIfSet('annotations', rest) };
  return {
    metadata: fieldIfSet('metadata', metadata),
    version: typeof version === 'string' && version !== versionOfImage(image) ? { version } : {},
    metrics: isScraped ? { metrics: { port, ...(path !== undefined && path !== '/metrics' && { path }) } } : {},
  };
}

function accountFields(spec: Fields, { account, isDefaultBound, hasOwnAccount, note }: TemplateSource): Fields {
  const name = textAt(spec, 'serviceAccountName') ?? textAt(spec, 'serviceAccount') ?? defaultAccount;
  const mounts = spec['automountServiceAccountToken'] ?? valueAt(account, ['automountServiceAccountToken']);
  if (name === defaultAccount) {
    if (mounts ?? isDefaultBound) return { apiAccess: true };
    if (mounts === undefined) {
      const remedy = '; set spec.apiAccess: true if they use it';
      note(
        'template.spec.automountServiceAccountToken',
        `pods no longer get a token for the API server${remedy}`,
        remedy,
      );
    }
    return {};
  }
  const role = account?.metadata.annotations?.[metadataKeys.webIdentityRole];
  const permissions =
    role === undefined
      ? 'grant its permissions to the new one with a RoleBinding, or set spec.iamRole'
      : 'grant its permissions in the cluster to the new one with a RoleBinding';
  if (!hasOwnAccount) {
    const change = `, but each workload gets its own service account with its name; ${permissions}`;
    note('template.spec.serviceAccountName', `the pods run as ${name}${change}`, change);
  }
  return { ...(role !== undefined && { iamRole: role }), ...(mounts !== false && { apiAccess: true }) };
}

function tierFields(spec: Fields, { cluster, supportedPodFields = [], note }: TemplateSource): Fields {
  const name = textAt(spec, 'priorityClassName');
  if (name === undefined || supportedPodFields.includes('priorityClassName')) return {};
  const { tiers } = cluster.platform.spec;
  if (tiers.some((tier) => tier.name === name)) return { tier: name };
  note(
    'template.spec.priorityClassName',
    `${name} is not a tier of this Platform, so the default tier is used; set spec.tier to ${tiers.map((tier) => tier.name).join(', ')}`,
  );
  return {};
}

/** Converts the node selector to a pool and zones; other labels stay in the pod. */
function placementFields(spec: Fields, { cluster, note }: TemplateSource, supportsTolerations: boolean) {
  const { [zoneKey]: zone, ...rest } = labelsAt(spec, 'nodeSelector');
  const pool = [...cluster.platform.spec.pools]
    .sort((a, b) => Object.keys(b.nodeSelector).length - Object.keys(a.nodeSelector).length)
    .find(({ nodeSelector }) => {
      const entries = Object.entries(nodeSelector);
      return entries.length > 0 && entries.every(([key, value]) => rest[key] === value);
    });
  const nodeSelector = without(rest, ...Object.keys(pool?.nodeSelector ?? {}));
  const dropped = supportsTolerations
    ? []
    : entriesAt(spec, 'tolerations').filter(
        (toleration) =>
          !(pool?.tolerations ?? []).some((poolToleration) => isSame(sorted(poolToleration), sorted(toleration))),
      );
  for (const toleration of dropped)
    note(
      'template.spec.tolerations',
      `${String(toleration['key'] ?? 'any taint')} is tolerated only by a pool or a tier; set spec.placement.pool to one whose nodes have that taint`,
    );
  return {
    nodeSelector,
    placement: { ...fieldIfSet('pool', pool?.name), ...(zone !== undefined && { zones: [zone] }) },
  };
}

const sorted = (fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
