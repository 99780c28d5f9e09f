import { nearest, type FieldPath, type Problem, type Workflow } from '../api';
import { findHole, parseHolePath } from './hole';
import { wordsOf, type WorkloadDocument } from './workload-document';

/** A place in one of the documents, and the property that fills it. */
export interface Hole {
  readonly document: number;
  readonly path: FieldPath;
  readonly property: string;
}

/** The places that a workflow's properties fill, each with the index of its document; reports those that lead nowhere. */
export function findHoles(
  workflow: Workflow,
  documents: readonly WorkloadDocument[],
  report: (problem: Problem) => void,
): Hole[] {
  const holes = new Map<string, Hole>();
  for (const [property, { fills }] of Object.entries(workflow.spec.properties))
    for (const [index, { workload, path: text }] of fills.entries()) {
      const at = (field: string): FieldPath => ['spec', 'properties', property, 'fills', index, field];
      const document = documentCalled(workload, documents);
      if (typeof document !== 'number') {
        report({ code: 'unknown-reference', path: at('workload'), value: workload, ...document });
        continue;
      }
      const path = parseHolePath(text);
      const found = path && findHole(documents[document]?.value, path);
      if (!found || !('path' in found)) {
        const unread = { reason: 'is no path', remedy: 'write one such as spec.template.spec.containers[app].image' };
        report({ code: 'unknown-reference', path: at('path'), value: text, ...(found ?? unread) });
        continue;
      }
      const key = JSON.stringify([document, ...found.path]);
      const other = holes.get(key);
      if (!other) holes.set(key, { document, path: found.path, property });
      else {
        const reason = `is filled by property ${other.property} already`;
        report({ code: 'duplicate', path: at('path'), value: text, reason, remedy: 'let one property fill it' });
      }
    }
  return [...holes.values()];
}

function documentCalled(
  wanted: string,
  documents: readonly WorkloadDocument[],
): number | { reason: string; remedy: string } {
  const [name, kind] = wanted.split('/').reverse();
  const found = [...documents.entries()].filter(([, document]) => {
    const words = wordsOf(document);
    return words.name === name && (kind === undefined || words.kind === kind);
  });
  const [first, second] = found;
  if (first && !second) return first[0];
  if (first) {
    const remedy = `write ${found.map(([, document]) => `${wordsOf(document).kind}/${name}`).join(' or ')}`;
    return { reason: 'may be one of several', remedy };
  }
  const names = documents.map((document) => wordsOf(document).name).filter((one) => typeof one === 'string');
  const guess = nearest(name ?? '', names);
  return {
    reason: 'is no workload of the workflow',
    remedy: guess
      ? `did you mean "${guess}"?`
      : names.length > 0
        ? `use ${names.slice(0, 10).join(', ')}`
        : 'name its file in spec.workloads',
  };
}
