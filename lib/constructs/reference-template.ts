import { type PodTemplate } from '../api';

/** Pod template of a workload of another app: its manifest needs one, and nothing runs it. */
export const referenceTemplate: PodTemplate = { spec: { containers: [{ name: 'app', image: 'reference:0' }] } };
