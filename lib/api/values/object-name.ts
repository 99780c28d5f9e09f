import { type DocumentKind } from '../manifest/manifest-kind';
import { isWorkloadKind } from '../kinds/workload-kinds';
import { workflowKind } from '../manifest/workflow';

/** What a name of a kind must look like. */
export interface NameForm {
  readonly pattern: string;
  /** Most characters. */
  readonly max: number;
  /** Beginnings and whole names that belong to Kubernetes itself. */
  readonly reserved?: { readonly prefix: string; readonly names: readonly string[] };
  /** The only names, where they are fixed. */
  readonly only?: readonly string[];
}

/** The form of `metadata.name` of a kind. */
export function nameForm(kind: DocumentKind): NameForm {
  if (isWorkloadKind(kind)) return { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', max: 253 };
  // Names an artifact, whose file and whose label on workloads it becomes.
  if (kind === workflowKind) return { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', max: 63 };
  // The name of a Project is that of its namespace; a quota on those of Kubernetes would stop the control plane.
  if (kind === 'Project') {
    const reserved = { prefix: 'kube-', names: ['default'] };
    return { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', max: 63, reserved };
  }
  const form: NameForm = { pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', max: 253 };
  return kind === 'Platform' ? { ...form, only: ['cluster'] } : form;
}
