import {
  group,
  hooksOf,
  locatedImagesOf,
  metadataKeys,
  podTemplatesOf,
  splitImage,
  version,
  workloadKinds,
  type FieldPath,
  type PodSpec,
  type Problem,
  type Workload,
} from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy } from './admission-policy';
import { type ProjectContext } from '../project-context';
import { namespaceFacts } from './rule-facts';

/** Suffix of an image that names one content. */
const digest = '@sha256:[0-9a-f]{64}$';
const reason = 'has no digest; a protected stage runs images by digest only, because a tag can move';
const remedy = 'add the digest of the image, as in registry.example.com/cart:1.4.2@sha256:…';

/**
 * Reports images without a digest if a protected stage owns the cluster. Images of the runtime profile are chosen by the
 * platform and are not reported.
 */
export function imageDigestProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  if (!isProtected(context)) return;
  const own = ownImages(workload);
  const known = new Set([...own, ...inheritedImages(workload), ...platformImages(context)].map(keyOf));
  // Patches can set other images.
  const patched = objects
    .flatMap((object) => imagesOf(podOf(object), ['spec', 'patches']))
    .filter((used) => !known.has(keyOf(used)))
    .map((used) => ({ ...used, path: ['spec', 'patches'] }));
  const distinct = new Map([...own, ...patched].map((used) => [keyOf(used), used]));
  for (const { path, image } of distinct.values())
    if (!new RegExp(digest).test(image))
      report({ code: 'bad-format', path, value: image, reason, remedy, rule: 'image-digest' });
}

/**
 * Warns about images without a tag or with the tag latest, which can change between two starts of a pod.
 *
 * A protected stage requires digests instead, and reports these images already.
 */
export function imageTagProblems(
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  if (isProtected(context)) return;
  for (const { image, path } of ownImages(workload)) {
    const { name, tag, digest } = splitImage(image);
    if (digest !== undefined || (tag !== undefined && tag !== 'latest')) continue;
    report({
      code: 'bad-format',
      path,
      value: image,
      reason: `${tag === undefined ? 'has no tag' : 'has the tag latest'}, so that pods can run different versions`,
      remedy: `use the tag of a version, such as ${name}:1.4.2, or a digest`,
      rule: 'image-tag',
      severity: 'warning',
    });
  }
}

/** Lists the images that a workload sets: those of its templates, and those of other fields. */
const ownImages = (workload: Workload): readonly UsedImage[] => [
  ...podTemplatesOf(workload).flatMap(({ template, path }) => imagesOf(template.spec, [...path, 'spec'])),
  ...locatedImagesOf(workload).map(({ container, image, path }) => ({ name: container, image, path })),
];

/** Lists the images that hooks have from the app's first container. */
const inheritedImages = (workload: Workload): Pick<UsedImage, 'name' | 'image'>[] => {
  const image = podTemplatesOf(workload)[0]?.template.spec.containers[0]?.image ?? '';
  return hooksOf(workload).map(({ name }) => ({ name, image }));
};

/** Returns whether a protected stage owns the project, which requires digests. */
function isProtected(context: ProjectContext): boolean {
  let known = protectedContexts.get(context);
  if (known === undefined) {
    known = namespaceFacts(context).metadata.labels[metadataKeys.protected] !== undefined;
    protectedContexts.set(context, known);
  }
  return known;
}

const protectedContexts = new WeakMap<ProjectContext, boolean>();

/** Image of a pod: the name of the container or volume that uses it, and the path of the field. */
interface UsedImage {
  readonly name: string;
  readonly image: string;
  readonly path: FieldPath;
}

const keyOf = ({ name, image }: Pick<UsedImage, 'name' | 'image'>): string => `${name} ${image}`;

/** Lists the images of containers and volumes of a pod. */
function imagesOf(pod: Partial<PodSpec> | undefined, path: FieldPath): UsedImage[] {
  const containers = (['initContainers', 'containers'] as const).flatMap((list) =>
    (pod?.[list] ?? []).map(({ name, image }, index) => ({ name, image, path: [...path, list, index, 'image'] })),
  );
  const volumes = (pod?.volumes ?? []).map(({ name, image }, index) => ({
    name,
    image: image?.reference,
    path: [...path, 'volumes', index, 'image', 'reference'],
  }));
  return [...containers, ...volumes].flatMap(({ image, ...rest }) => (image === undefined ? [] : { image, ...rest }));
}

const platformImages = ({ runtime }: ProjectContext): readonly Pick<UsedImage, 'name' | 'image'>[] =>
  runtime.parts
    .flatMap(({ initContainers, sidecars }) => [...initContainers, ...sidecars])
    .map(({ name, image = '' }) => ({ name, image }));

/** Returns the pod of an object's template. */
function podOf({ spec }: KubernetesObject): Partial<PodSpec> | undefined {
  const { jobTemplate, template } = (spec ?? {}) as { jobTemplate?: { spec?: unknown }; template?: { spec?: PodSpec } };
  const { template: ofJob } = (jobTemplate?.spec ?? {}) as { template?: { spec?: PodSpec } };
  return (ofJob ?? template)?.spec;
}

const name = `image-digests.${group}`;
const isUnpinned = (image: string): string => `!${image}.matches(${JSON.stringify(digest)})`;
const unpinnedIn = (list: string): string =>
  `(has(t.spec.${list}) ? t.spec.${list}.filter(c, has(c.image) && ${isUnpinned('c.image')}).map(c, c.image) : [])`;
const unpinnedVolumes = `(has(t.spec.volumes) ? t.spec.volumes.filter(v, has(v.image) && has(v.image.reference) && ${isUnpinned('v.image.reference')}).map(v, v.image.reference) : [])`;

const unpinnedVariants = `(has(object.spec.variants) ? object.spec.variants.filter(v, has(v.image) && ${isUnpinned('v.image')}).map(v, v.image) : [])`;
const unpinnedHooks = `(has(object.spec.beforeDeployment) ? object.spec.beforeDeployment.filter(h, has(h.image) && ${isUnpinned('h.image')}).map(h, h.image) : [])`;

/** Creates the admission policy that requires digests of the images of workloads in protected projects. */
export function imageDigestPolicy(): KubernetesObject[] {
  const resources = Object.values(workloadKinds).map(({ plural }) => plural);
  return admissionPolicy(name, {
    namespaceSelector: { matchLabels: { [metadataKeys.protected]: 'true' } },
    resourceRules: [{ apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources }],
    // Removing finalizers must work for workloads that were applied before the project was protected.
    matchConditions: [{ name: 'spec-changed', expression: 'oldObject == null || object.spec != oldObject.spec' }],
    variables: [
      {
        name: 'templates',
        expression:
          '(has(object.spec.template) ? [object.spec.template] : []) + (has(object.spec.roles) ? object.spec.roles.map(r, object.spec.roles[r]).filter(m, has(m.template)).map(m, m.template) : []) + (has(object.spec.replicatedJobs) ? object.spec.replicatedJobs.map(j, j.template) : [])',
      },
      {
        name: 'unpinned',
        expression: `(variables.templates.map(t, ${unpinnedIn('containers')} + ${unpinnedIn('initContainers')} + ${unpinnedVolumes}) + [${unpinnedVariants} + ${unpinnedHooks}]).filter(images, size(images) > 0)`,
      },
    ],
    validations: [
      {
        expression: 'size(variables.unpinned) == 0',
        message: `an image ${reason}; ${remedy}`,
        messageExpression: `variables.unpinned.map(images, images.join(", ")).join(", ") + ${JSON.stringify(` ${reason}; ${remedy}`)}`,
      },
    ],
  });
}
