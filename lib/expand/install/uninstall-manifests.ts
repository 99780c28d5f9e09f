import { metadataKeys, ProblemsError, valueAt } from '../../api';
import { safeInstallManifests, type Installation } from './install-manifests';
import { type UninstallOptions } from './install-options';
import { type KubernetesObject } from '../objects/kubernetes-object';

/**
 * Returns whether an uninstall keeps an object: CRDs, whose deletion would delete every workload, and platform
 * resources, whose deletion would delete namespaces.
 */
export const isKept = ({ metadata }: KubernetesObject): boolean => metadata.labels?.[metadataKeys.uninstall] === 'keep';

/**
 * Lists the objects of an installation that can be deleted while workloads keep running, in reverse apply order.
 *
 * The objects contain only names and labels, which are enough to delete them.
 */
export function safeUninstallManifests(options: UninstallOptions = {}): Installation {
  const { objects, problems } = safeInstallManifests({ image: placeholderImage, ...gatewayImage(options), ...options });
  if (!objects) return { problems };
  const deleted = objects.filter((object) => !isKept(object)).reverse();
  return { objects: deleted.map(({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata })), problems };
}

/** Returns the objects of `safeUninstallManifests`. Throws a `ProblemsError` if there are errors. */
export function uninstallManifests(options: UninstallOptions = {}): readonly KubernetesObject[] {
  const { objects, problems } = safeUninstallManifests(options);
  if (!objects) throw new ProblemsError(problems);
  return objects;
}

/** Returns the image of a gateway that the Platform has. */
const gatewayImage = ({ documents = [] }: UninstallOptions): Pick<UninstallOptions, 'gatewayImage'> =>
  documents.some(({ kind, spec }) => kind === 'Platform' && valueAt(spec, ['gateway']) !== undefined)
    ? { gatewayImage: placeholderImage }
    : {};

/** Placeholder image; the result does not contain it. */
const placeholderImage = 'pinion/controller:any';
