import { pinionKinds, type PinionKind } from '../kinds/kinds';
import { workflowKind } from './workflow';

/** Kind of a manifest: custom resources, and Workflow, which is never sent to the API server. */
export type DocumentKind = PinionKind | typeof workflowKind;

/** Returns whether a kind is namespaced. */
export const isNamespaced = (kind: DocumentKind): boolean =>
  kind === workflowKind || pinionKinds[kind].scope === 'Namespaced';
