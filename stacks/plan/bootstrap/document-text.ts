import { writeDocuments } from '../../../lib/yaml';

/** Documents as YAML with `---` between them. */
export const documentText = (...documents: readonly object[]): string => [...writeDocuments(documents)].join('');
