import { pinionKinds, type PinionKind } from '../kinds/kinds';
import { workflowKind } from './workflow';

/** Any kind of document that a person may write for us: those of the API server, and the Workflow, which it never sees. */
export type DocumentKind = PinionKind | typeof workflowKind;

/** Whether documents of a kind lie in a namespace: that of their project. */
export const isNamespaced = (kind: DocumentKind): boolean =>
  kind === workflowKind || pinionKinds[kind].scope === 'Namespaced';
