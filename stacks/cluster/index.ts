/** Program of the cluster stack: creates the planned AWS resources. */
export { clusterProgram } from './cluster-program';
