import { type ClusterWriter } from './cluster-writer';

/** Returns a writer that calls back on every response: a reconcile that receives responses is slow, not hung. */
export function withWriteCallback(writer: ClusterWriter, onResponse: () => void): ClusterWriter {
  const withCallback =
    <A extends readonly unknown[], R>(request: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      request(...args).finally(onResponse);
  return {
    apply: withCallback((object, options) => writer.apply(object, options)),
    release: withCallback((child, managedFields) => writer.release(child, managedFields)),
    remove: withCallback((child, propagation) => writer.remove(child, propagation)),
    removePod: withCallback((pod) => writer.removePod(pod)),
    removeResource: withCallback((resource) => writer.removeResource(resource)),
    read: withCallback((kind, namespace, name) => writer.read(kind, namespace, name)),
    history: withCallback((resource, observed) => writer.history(resource, observed)),
    records: withCallback((resource) => writer.records(resource)),
    create: withCallback((object) => writer.create(object)),
    removeRecord: withCallback((record) => writer.removeRecord(record)),
    writeStatus: withCallback((resource, status) => writer.writeStatus(resource, status)),
    recordEvents: (resource, occurrences) => writer.recordEvents(resource, occurrences),
  };
}
