import { type ClusterWriter } from './cluster-writer';

/** Returns a writer that reports every response: a reconcile that receives responses is slow, not hung. */
export function withWriteCallback(writer: ClusterWriter, answered: () => void): ClusterWriter {
  const noticing =
    <A extends readonly unknown[], R>(ask: (...parts: A) => Promise<R>) =>
    (...parts: A): Promise<R> =>
      ask(...parts).finally(answered);
  return {
    apply: noticing((object, options) => writer.apply(object, options)),
    release: noticing((child, managedFields) => writer.release(child, managedFields)),
    remove: noticing((child, propagation) => writer.remove(child, propagation)),
    removePod: noticing((pod) => writer.removePod(pod)),
    removeResource: noticing((document) => writer.removeResource(document)),
    read: noticing((kind, namespace, name) => writer.read(kind, namespace, name)),
    history: noticing((document, observed) => writer.history(document, observed)),
    writeStatus: noticing((document, status) => writer.writeStatus(document, status)),
    recordEvents: (document, occurrences) => writer.recordEvents(document, occurrences),
  };
}
