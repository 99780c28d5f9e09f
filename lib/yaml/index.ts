/** YAML and JSON as people write them, and YAML as people read it. */
export { readDocuments, type ReadDocument, type ReadResult } from './read';
export { writeDocuments, writeYaml } from './write';
