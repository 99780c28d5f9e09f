import { type ClusterWriter } from './cluster-writer';

/** Hands that tell of every request that was answered, one way or the other: who waits for answers is slow, and does not hang. */
export function withWriteCallback(hands: ClusterWriter, answered: () => void): ClusterWriter {
  const noticing =
    <A extends readonly unknown[], R>(ask: (...parts: A) => Promise<R>) =>
    (...parts: A): Promise<R> =>
      ask(...parts).finally(answered);
  return {
    apply: noticing((object, options) => hands.apply(object, options)),
    release: noticing((child, managedFields) => hands.release(child, managedFields)),
    remove: noticing((child, propagation) => hands.remove(child, propagation)),
    removePod: noticing((pod) => hands.removePod(pod)),
    removeDocument: noticing((document) => hands.removeDocument(document)),
    read: noticing((kind, namespace, name) => hands.read(kind, namespace, name)),
    history: noticing((document, observed) => hands.history(document, observed)),
    writeStatus: noticing((document, status) => hands.writeStatus(document, status)),
    tell: (document, occurrences) => hands.tell(document, occurrences),
  };
}
