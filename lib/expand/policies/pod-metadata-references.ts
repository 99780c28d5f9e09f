import {
  isPlatformKey,
  nearest,
  podTemplatesOf,
  recommended,
  type FieldPath,
  type Problem,
  type Workload,
} from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podTemplateSpecOf } from '../objects/pod-spec-of';
import { containerPaths } from './rule-paths';

type Metadata = 'labels' | 'annotations';

/** Reference of a variable or file to a label or annotation of the pod. */
interface Reference {
  readonly map: Metadata;
  readonly key: string;
  /** What has the value. */
  readonly holder: 'variable' | 'file';
  /** Path of the reference. */
  readonly path: FieldPath;
  /** Path of the template. */
  readonly template: FieldPath;
}

/** Item of the downward API. */
interface DownwardItem {
  readonly fieldRef?: { readonly fieldPath: string } | undefined;
}

/** Labels without a domain that controllers of Kubernetes add. */
const addedLabels: readonly string[] = [
  'controller-revision-hash',
  'controller-uid',
  'job-name',
  'pod-template-generation',
  'pod-template-hash',
];
const recommendedDomain = recommended.name.replace(/[^/]*$/, '');

/**
 * Warns about variables and files with a label or annotation that the pods do not have: they are empty.
 *
 * Nothing is said about keys with a domain other than those that only manifests set: controllers and webhooks add such keys.
 */
export function podMetadataProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  report: (problem: Problem) => void,
): void {
  const references = referencesOf(workload).filter(({ map, key }) => !mayBeAdded(map, key));
  if (references.length === 0) return;
  const templates = objects.flatMap((object) => podTemplateSpecOf(object) ?? []);
  const keysOf = (map: Metadata) => [
    ...new Set(templates.flatMap(({ metadata }) => Object.keys(metadata?.[map] ?? {}))),
  ];
  const known = { labels: keysOf('labels'), annotations: keysOf('annotations') };
  for (const reference of references)
    if (!known[reference.map].includes(reference.key)) report(problemOf(reference, known));
}

const mayBeAdded = (map: Metadata, key: string): boolean =>
  key.includes('/') ? !key.startsWith(recommendedDomain) : map === 'labels' && addedLabels.includes(key);

function problemOf(
  { map, key, holder, path, template }: Reference,
  known: Readonly<Record<Metadata, readonly string[]>>,
): Problem {
  const singular = map.slice(0, -1);
  const near = nearestKey(key, known[map]);
  const other = isPlatformKey(key) ? 'refer to another one' : `add it to ${[...template, 'metadata', map].join('.')}`;
  return {
    code: 'unknown-reference',
    path,
    value: `metadata.${map}['${key}']`,
    reason: `is not ${singular === 'label' ? 'a' : 'an'} ${singular} of the pods, so that the ${holder} is empty`,
    remedy: near === undefined ? other : `did you mean metadata.${map}['${near}']?`,
    rule: 'pod-metadata-reference',
    severity: 'warning',
  };
}

/** Returns the most similar key with the same domain. */
function nearestKey(key: string, known: readonly string[]): string | undefined {
  const domain = key.startsWith(recommendedDomain) ? recommendedDomain : '';
  const names = known.flatMap((other) => (other.startsWith(domain) ? other.slice(domain.length) : []));
  const near = nearest(key.slice(domain.length), names);
  return near === undefined ? undefined : `${domain}${near}`;
}

function referencesOf(workload: Workload): readonly Reference[] {
  return podTemplatesOf(workload).flatMap(({ template: { spec }, path: template }) => {
    const pod = [...template, 'spec'];
    const referenceOf = (holder: Reference['holder'], { fieldRef }: DownwardItem, path: FieldPath): Reference[] => {
      const [, map, key] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(fieldRef?.fieldPath ?? '') ?? [];
      if (key === undefined) return [];
      return [{ map: map as Metadata, key, holder, path: [...path, 'fieldRef', 'fieldPath'], template }];
    };
    const items = (list: readonly DownwardItem[] | undefined, path: FieldPath): Reference[] =>
      (list ?? []).flatMap((item, index) => referenceOf('file', item, [...path, 'items', index]));
    return [
      ...containerPaths(spec, pod).flatMap(({ container, path }) =>
        (container.env ?? []).flatMap(({ valueFrom }, index) =>
          valueFrom ? referenceOf('variable', valueFrom, [...path, 'env', index, 'valueFrom']) : [],
        ),
      ),
      ...(spec.volumes ?? []).flatMap(({ downwardAPI, projected }, index) => [
        ...items(downwardAPI?.items, [...pod, 'volumes', index, 'downwardAPI']),
        ...(projected?.sources ?? []).flatMap((source, at) =>
          items(source.downwardAPI?.items, [...pod, 'volumes', index, 'projected', 'sources', at, 'downwardAPI']),
        ),
      ]),
    ];
  });
}
