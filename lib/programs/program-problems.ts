import { apiVersion, examine, imageProblems, type Input, type Problem } from '../api';
import { type KubernetesObject } from '../expand';

type ProgramObject = Input<'Project' | 'PinterestCronJob' | 'PinterestService'> | KubernetesObject;

/** All that is wrong with the documents among the objects of a program, as the controller would see it; and an image without tag or digest. */
export const programProblems = (objects: readonly ProgramObject[]): Problem[] =>
  objects.filter(isDocument).flatMap((document) => [...examine(document).problems, ...ofImages(document)]);

type Document = Exclude<ProgramObject, KubernetesObject>;

const isDocument = (object: ProgramObject): object is Document => object.apiVersion === apiVersion;

function ofImages(document: Document): Problem[] {
  const { kind, metadata, spec } = document;
  if (!('template' in spec)) return [];
  const { name, namespace } = metadata;
  return spec.template.spec.containers.flatMap(({ image }, index) =>
    imageProblems(image, ['spec', 'template', 'spec', 'containers', index, 'image'], name).map((problem) => ({
      ...problem,
      object: `${kind} ${namespace}/${name}`,
    })),
  );
}
