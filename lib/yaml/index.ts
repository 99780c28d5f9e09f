/** Reads YAML and JSON as kubectl does, and writes YAML. */
export { readDocuments, type ReadDocument, type ReadResult } from './read';
export { writeDocuments, writeYaml } from './write';
