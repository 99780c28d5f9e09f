import { type DocumentKind } from '../manifest/manifest-kind';
import { isWorkloadKind } from '../kinds/workload-kinds';
import { workflowKind } from '../manifest/workflow';

/** Format of the names of a kind. */
export interface NameForm {
  readonly pattern: string;
  /** Maximum length in characters. */
  readonly max: number;
  /** Prefix and names that are reserved for Kubernetes. */
  readonly reserved?: { readonly prefix: string; readonly names: readonly string[] };
  /** Allowed names, if they are fixed. */
  readonly only?: readonly string[];
}

/** Returns the format of `metadata.name` of a kind. */
export function nameForm(kind: DocumentKind): NameForm {
  if (isWorkloadKind(kind)) return { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', max: 253 };
  // Names an artifact, and so its file and a label on workloads.
  if (kind === workflowKind) return { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', max: 63 };
  // The name of a Project is that of its namespace; a quota on those of Kubernetes would stop the control plane.
  if (kind === 'Project') {
    const reserved = { prefix: 'kube-', names: ['default'] };
    return { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', max: 63, reserved };
  }
  const form: NameForm = { pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', max: 253 };
  return kind === 'Platform' ? { ...form, only: ['cluster'] } : form;
}
