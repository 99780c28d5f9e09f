import { dump } from 'js-yaml';

/** Returns documents as YAML, separated by `---`. */
export const yamlText = (...documents: readonly object[]): string =>
  documents.map((document) => dump(document, { noRefs: true, lineWidth: -1 })).join('---\n');
