import { type LiveObject } from '../kube';

/** Returns the part of a resource that its author wrote, without the fields of the API server and of the controller. */
export function writtenPart({ apiVersion, kind, metadata, spec }: LiveObject): unknown {
  const { name, namespace, labels, annotations } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
    spec,
  };
}
