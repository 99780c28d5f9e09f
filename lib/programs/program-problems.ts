import { apiVersion, safeParseManifest, imageProblems, type ManifestInput, type Problem } from '../api';
import { type KubernetesObject } from '../expand';

type ProgramObject = ManifestInput<'Project' | 'PinterestCronJob' | 'PinterestService'> | KubernetesObject;

/** Validates the custom resources of a program as the controller does, and that images have a tag or digest. */
export const programProblems = (objects: readonly ProgramObject[]): Problem[] =>
  objects.filter(isCustomResource).flatMap((resource) => {
    // Variables of programs have stricter checks of their own, which name the options to use.
    const problems = safeParseManifest(resource).problems.filter(({ rule }) => rule !== 'literal-secret');
    const hasImageProblem = problems.some(({ rule }) => rule === 'image-reference');
    return hasImageProblem ? problems : [...problems, ...imageProblemsOf(resource)];
  });

type CustomResource = Exclude<ProgramObject, KubernetesObject>;

const isCustomResource = (object: ProgramObject): object is CustomResource => object.apiVersion === apiVersion;

function imageProblemsOf(resource: CustomResource): Problem[] {
  const { kind, metadata, spec } = resource;
  if (!('template' in spec)) return [];
  const { name, namespace } = metadata;
  return spec.template.spec.containers.flatMap(({ image }, index) =>
    imageProblems(image, ['spec', 'template', 'spec', 'containers', index, 'image'], name).map((problem) => ({
      ...problem,
      object: `${kind} ${namespace}/${name}`,
    })),
  );
}
