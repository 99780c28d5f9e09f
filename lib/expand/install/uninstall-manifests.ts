import { metadataKeys, ProblemsError } from '../../api';
import { examineInstall, type Installation } from './install-manifests';
import { type UninstallOptions } from './install-options';
import { type KubernetesObject } from '../objects/kubernetes-object';

/**
 * Whether an uninstall leaves an object in place: definitions, whose end is the end of every workload, and the documents of
 * the cluster, whose end is the end of namespaces.
 */
export const isKept = ({ metadata }: KubernetesObject): boolean => metadata.labels?.[metadataKeys.uninstall] === 'keep';

/**
 * What of an installation can be deleted while workloads keep running, last applied first, or why it cannot be told.
 *
 * The objects are names and labels alone, for nothing else of them is needed to delete them.
 */
export function examineUninstall(options: UninstallOptions = {}): Installation {
  const { objects, problems } = examineInstall({ image: anyImage, ...options });
  if (!objects) return { problems };
  const gone = objects.filter((object) => !isKept(object)).reverse();
  return { objects: gone.map(({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata })), problems };
}

/** The objects of `examineUninstall`. Throws a `ProblemsError` where they cannot be told. */
export function uninstallManifests(options: UninstallOptions = {}): readonly KubernetesObject[] {
  const { objects, problems } = examineUninstall(options);
  if (!objects) throw new ProblemsError(problems);
  return objects;
}

/** Stands in where no image is asked for; it is in nothing that is given back. */
const anyImage = 'pinion/controller:any';
