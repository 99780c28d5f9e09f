import { createHash } from 'node:crypto';
import { isPlainObject } from '../api';
import { workloadKeyOf, type ImpactDocument, type ImpactSide } from './impact-side';

/**
 * Returns a digest of the inputs of an impact, as `sha256:<hex>`: of the Platform with its record of profiles, the profiles, the
 * Projects, the workloads and the definitions of both sides. Equal inputs have the same digest, whatever the order of their files and keys.
 */
export function impactDigest(before: ImpactSide, after: ImpactSide): string {
  const hash = createHash('sha256');
  for (const side of [before, after]) for (const text of textsOf(side)) hash.update(text).update('\n');
  return `sha256:${hash.digest('hex')}`;
}

function textsOf({
  cluster,
  runtime,
  revisions,
  workloads,
  projects = [],
  definitions = [],
}: ImpactSide): readonly string[] {
  const names = [...new Set([...workloads.map(({ metadata }) => metadata.namespace ?? ''), ...projects])].sort();
  const manifests = [cluster.platform, cluster.profile, ...cluster.profiles].map(({ kind, metadata, spec }) =>
    sortedJson({ kind, name: metadata.name, spec }),
  );
  const contexts = names.map((name) => sortedJson({ kind: 'Project', name, spec: cluster.project(name).project.spec }));
  const documents = workloads.map(textOf);
  // Neither a time nor the text of a reason decides.
  const { since: _, rolloutBlockedReason, ...record } = runtime ?? {};
  const recorded = runtime ? [sortedJson({ ...record, isBlocked: rolloutBlockedReason !== undefined })] : [];
  const { current, completed, isOpen, isLeft, rollback } = revisions ?? {};
  const followed = revisions ? [sortedJson({ current, completed, isOpen, isLeft, rollback })] : [];
  const defined = definitions.map(({ metadata: { name }, spec }) => sortedJson({ kind: 'definition', name, spec }));
  return [
    ...new Set(manifests),
    ...defined.sort(),
    ...recorded,
    ...followed,
    ...contexts,
    ...documents.sort(),
    'end of the side',
  ];
}

const knownTexts = new WeakMap<ImpactDocument, string>();

/** Returns the text of a workload; both sides share it if it does not change. */
function textOf(document: ImpactDocument): string {
  const { labels, annotations } = document.metadata;
  const { runtimeProfile: profile, platformRevision: revision, expansion } = document.status ?? {};
  const inputs = {
    key: workloadKeyOf(document),
    labels,
    annotations,
    spec: document.spec,
    profile,
    revision,
    expansion,
  };
  const text = knownTexts.get(document) ?? sortedJson(inputs);
  knownTexts.set(document, text);
  return text;
}

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
