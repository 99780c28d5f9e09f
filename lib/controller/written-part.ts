import { type LiveObject } from '../client';

/** Returns the fields of a resource that a user wrote, without those set by the API server or the controller. */
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
