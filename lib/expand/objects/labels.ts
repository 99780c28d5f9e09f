import { deploymentKeys, metadataKeys, manager, podTemplatesOf, recommended, type Workload } from '../../api';
import { labelOf } from './name';
import { tierOf } from '../pods/placement';
import { type ProjectContext } from '../project-context';

/** Returns the labels that select the pods of a workload or of one of its members: only name and kind, because selectors are immutable. */
export function selectorOf(workload: Workload, member?: string): Record<string, string> {
  return {
    [metadataKeys.kind]: workload.kind,
    [metadataKeys.workload]: labelOf(workload.metadata.name),
    ...(member !== undefined && { [metadataKeys.member]: member }),
  };
}

/** Suffix of the label `kind` of pods of hooks, which no selector of a workload matches. */
const hookSuffix = 'Hook';

/** Returns the labels that select the pods of a workload's hooks. */
export const hookSelectorOf = (workload: Workload): Record<string, string> => ({
  ...selectorOf(workload),
  [metadataKeys.kind]: `${workload.kind}${hookSuffix}`,
});

/** Returns the kind of the workload that a pod belongs to, from its labels. */
export const kindOfPod = (labels: Readonly<Record<string, string>>): string | undefined => {
  const kind = labels[metadataKeys.kind];
  return labels[metadataKeys.hook] !== undefined && kind?.endsWith(hookSuffix)
    ? kind.slice(0, -hookSuffix.length)
    : kind;
};

/** Returns the labels of all objects of a workload; the platform's labels take precedence. */
export function labelsOf(workload: Workload, context: ProjectContext, member?: string): Record<string, string> {
  const { spec, metadata } = workload;
  const costCenter = spec.costCenter ?? context.project.spec.costCenter;
  return {
    ...withoutPodKeys(withoutDeployment(metadata.labels)),
    ...spec.labels,
    [recommended.name]: labelOf(metadata.name),
    [recommended.partOf]: metadata.namespace,
    [recommended.managedBy]: manager,
    [recommended.version]: versionOf(workload),
    ...(member !== undefined && { [recommended.component]: member }),
    [metadataKeys.team]: spec.team ?? context.project.spec.team,
    [metadataKeys.tier]: tierOf(workload, context),
    ...(costCenter !== undefined && { [metadataKeys.costCenter]: costCenter }),
    ...selectorOf(workload, member),
  };
}

/** Labels that say what an object of a workload is for, and that only pinion sets. */
const podKeys: ReadonlySet<string> = new Set([
  metadataKeys.hook,
  metadataKeys.variant,
  metadataKeys.job,
  metadataKeys.jobKey,
  metadataKeys.member,
]);

/** Returns labels of a workload without those that would select or choose its objects. */
const withoutPodKeys = (labels: Readonly<Record<string, string>> | undefined) =>
  labels && Object.fromEntries(Object.entries(labels).filter(([key]) => !podKeys.has(key)));

/** Returns labels or annotations without those set by deployments. */
export const withoutDeployment = (
  entries: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined =>
  entries && deploymentKeys.some((key) => Object.hasOwn(entries, key))
    ? Object.fromEntries(Object.entries(entries).filter(([key]) => !deploymentKeys.includes(key)))
    : entries;

/** Returns the version of a workload. Defaults to the tag of its first image, or `unknown`. */
export const versionOf = (workload: Workload): string => workload.spec.version ?? versionOfImage(imageOf(workload));

/** Returns the tag of an image as the value of a label, or `unknown`. */
export function versionOfImage(image: string): string {
  const tag = /^[^@]*:([A-Za-z0-9][A-Za-z0-9_.-]*)(@|$)/.exec(image)?.[1];
  return tag === undefined ? 'unknown' : labelOf(tag).replace(/[-_.]+$/, '');
}

/** Returns the image of the workload's first container. */
export const imageOf = (workload: Workload): string =>
  podTemplatesOf(workload)[0]?.template.spec.containers[0]?.image ?? '';
