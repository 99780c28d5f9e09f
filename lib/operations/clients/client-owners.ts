import { entriesAt, textAt } from '../../api';
import { serviceAccountOf } from '../../kube';

/** Owner of a client: a Project with its team and on-call contact. */
export interface ClientOwner {
  readonly project: string;
  readonly team?: string;
  readonly onCall?: string;
}

/** Maximum accounts whose owner is remembered. */
const maxAccounts = 10_000;
/** Maximum characters of an account with its groups that are remembered. */
const maxKeyLength = 1000;

/** Finds the Project of an account. */
export class ClientOwners {
  private readonly projects = new Map<string, ClientOwner>();
  /** Projects of users, groups and service accounts that are members, by kind and name. */
  private readonly members = new Map<string, Set<string>>();
  private readonly known = new Map<string, ClientOwner | undefined>();

  /** Takes Projects, as manifests or as objects of the cluster. */
  constructor(projects: readonly unknown[]) {
    for (const project of projects) this.addProject(project);
  }

  private addProject(project: unknown): void {
    const name = textAt(project, 'metadata', 'name');
    if (name === undefined) return;
    const [team, onCall] = [textAt(project, 'spec', 'team'), textAt(project, 'spec', 'onCall')];
    this.projects.set(name, {
      project: name,
      ...(team !== undefined && { team }),
      ...(onCall !== undefined && { onCall }),
    });
    for (const member of entriesAt(project, 'spec', 'members')) {
      const key = `${textAt(member, 'kind') ?? 'Group'} ${textAt(member, 'name') ?? ''}`;
      this.members.set(key, (this.members.get(key) ?? new Set()).add(name));
    }
  }

  /**
   * Returns the owner of an account: for a service account, the Project of its namespace; for a user, the only Project
   * that has the user or its groups as members. Undefined if there is none, or more than one.
   */
  ownerOf(account: string, groups: readonly string[]): ClientOwner | undefined {
    const key = `${account}\u0000${groups.join(' ')}`;
    if (this.known.has(key)) return this.known.get(key);
    const owner = this.find(account, groups);
    if (key.length > maxKeyLength) return owner;
    if (this.known.size >= maxAccounts) this.known.clear();
    this.known.set(key, owner);
    return owner;
  }

  private find(account: string, groups: readonly string[]): ClientOwner | undefined {
    const serviceAccount = serviceAccountOf(account);
    if (serviceAccount) return this.projects.get(serviceAccount.namespace);
    const memberships = [`User ${account}`, ...groups.map((group) => `Group ${group}`)];
    const projects = new Set(memberships.flatMap((key) => [...(this.members.get(key) ?? [])]));
    const [only] = projects;
    return only !== undefined && projects.size === 1 ? this.projects.get(only) : undefined;
  }
}
