/** YAML and JSON as people write them, and YAML as people read it. */
export { writeDocuments, writeYaml } from './write';
