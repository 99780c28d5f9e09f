import { dump } from 'js-yaml';

/** Documents as YAML with `---` between them. */
export const yamlText = (...documents: readonly object[]): string =>
  documents.map((document) => dump(document, { noRefs: true, lineWidth: -1 })).join('---\n');
