import { type LiveObject } from '../kube';

/** What a person wrote of an object: without what the API server and we added. */
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
