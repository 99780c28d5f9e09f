import { install, type InstallOptions, type KubernetesObject } from 'pinion';
import { platformDocument } from './platform-document';
import { type PlatformFacts } from './platform-facts';
import { platformProjectDocuments } from './projects';

/** Documents of a cluster: the Platform, and the projects of its own parts. */
export const documentsOf = (facts: PlatformFacts): NonNullable<InstallOptions['documents']> => [
  platformDocument(facts),
  ...platformProjectDocuments(facts),
];

/** The installation of pinion with its documents: definitions apart, the rest in the order in which it is applied. */
export function pinionObjects(facts: PlatformFacts): {
  readonly definitions: KubernetesObject[];
  readonly rest: KubernetesObject[];
} {
  const objects = install({ image: facts.controllerImage, documents: documentsOf(facts) });
  const isDefinition = ({ kind }: KubernetesObject) => kind === 'CustomResourceDefinition';
  return { definitions: objects.filter(isDefinition), rest: objects.filter((object) => !isDefinition(object)) };
}
