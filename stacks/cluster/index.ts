/** The stack `cluster`: what its plan says, as resources of AWS. */
export { clusterProgram } from './cluster-program';
