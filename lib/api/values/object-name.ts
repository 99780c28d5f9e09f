import { type DocumentKind } from '../manifest/manifest-kind';
import { isWorkloadKind } from '../kinds/workload-kinds';
import { workflowKind } from '../manifest/workflow';
import { projectRoles } from './project-role';

/** Format of the names of a kind. */
export interface NameForm {
  readonly pattern: string;
  /** Maximum length in characters. */
  readonly max: number;
  /** Names that are reserved, and why. */
  readonly reserved?: ReservedNames;
  /** Allowed names, if they are fixed. */
  readonly only?: readonly string[];
}

/** Names that no manifest of a kind may have. */
interface ReservedNames {
  readonly prefix?: string;
  readonly names: readonly string[];
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Names of the service account and the bindings, quota and limits of a project itself, and of the service account that
 * Kubernetes creates: a workload of the name would share them.
 */
const projectObjectNames = [
  'default',
  'deployer',
  'project',
  'members-exec',
  ...projectRoles.map((role) => `members-${role}`),
];

/** Returns the format of `metadata.name` of a kind. */
export function nameForm(kind: DocumentKind): NameForm {
  if (isWorkloadKind(kind)) {
    const reason =
      'is the name of an object of the project itself, such as a service account, which the workload would share';
    const reserved = { names: projectObjectNames, reason, remedy: 'use another name' };
    return { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', max: 253, reserved };
  }
  // Names an artifact, and so its file and a label on workloads.
  if (kind === workflowKind) return { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', max: 63 };
  // The name of a Project is that of its namespace; a quota on those of Kubernetes would stop the control plane.
  if (kind === 'Project') {
    const [reason, remedy] = ['is reserved for Kubernetes', 'use another name'];
    const reserved = { prefix: 'kube-', names: ['default'], reason, remedy };
    return { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', max: 63, reserved };
  }
  const form: NameForm = { pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', max: 253 };
  return kind === 'Platform' ? { ...form, only: ['cluster'] } : form;
}

/** Returns whether a name is reserved in a kind. */
export const isReservedName = (name: string, { reserved }: NameForm): boolean =>
  reserved !== undefined &&
  (reserved.names.includes(name) || (reserved.prefix !== undefined && name.startsWith(reserved.prefix)));
