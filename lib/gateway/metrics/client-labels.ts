import { userAgentProduct } from '../../kube';
import { type ApiCaller } from '../identity/api-caller';
import { accountOf } from '../identity/client-account';

/** Labels of a client in metrics. */
export interface ClientLabels {
  /** Namespace of its service account; empty for users. */
  readonly project: string;
  /** Service account, or user. */
  readonly account: string;
  /** Product name of its User-Agent. */
  readonly user_agent: string;
}

/** Bounds of the values that a gateway names; each client beyond them is called `other`. */
export interface ClientLabelLimits {
  readonly accounts: number;
  /** Service accounts of one project, all of which a tenant may create. */
  readonly accountsOfProject: number;
  /** User agents of one account, which may send any. */
  readonly agentsOfAccount: number;
  /** Combinations of labels of the requests of one project, and of all users together. */
  readonly setsOfProject: number;
}

const defaultLimits: ClientLabelLimits = {
  accounts: 2_000,
  accountsOfProject: 50,
  agentsOfAccount: 4,
  setsOfProject: 2_000,
};

/** Value for clients and names beyond the bounds. */
export const other = 'other';

/** Labels of requests without an accepted token. */
export const unauthenticatedLabels: ClientLabels = { project: '', account: '', user_agent: '' };

/** Names clients in metrics, and bounds how many names there are: clients choose theirs. */
export class ClientNames {
  readonly #agents = new Map<string, Set<string>>();
  readonly #accountsOfProject = new Map<string, number>();
  readonly #setsOfProject = new Map<string, Set<string>>();

  private readonly limits: ClientLabelLimits;

  constructor(limits: Partial<ClientLabelLimits> = {}) {
    this.limits = { ...defaultLimits, ...limits };
  }

  /** Returns the labels of a client. */
  labelsOf(caller: Pick<ApiCaller, 'user'>, userAgent = ''): ClientLabels {
    const { project, name } = accountOf(caller);
    const agents = this.#agentsOf(caller.user, project);
    if (!agents)
      return { project: this.#accountsOfProject.has(project) ? project : other, account: other, user_agent: other };
    const agent = userAgentProduct(userAgent);
    if (agents.size < this.limits.agentsOfAccount) agents.add(agent);
    return { project, account: name, user_agent: agents.has(agent) ? agent : other };
  }

  /**
   * Returns the labels of a request; beyond the combinations of its project, its resource and user agent are `other`: a
   * tenant chooses both, and each combination stays in memory as long as the gateway runs.
   */
  boundedSet<T extends ClientLabels & { readonly resource: string }>(labels: T): T {
    const key = JSON.stringify(labels);
    const sets = this.#setsOfProject.get(labels.project) ?? new Set<string>();
    this.#setsOfProject.set(labels.project, sets);
    if (sets.size < this.limits.setsOfProject) sets.add(key);
    return sets.has(key) ? labels : { ...labels, resource: other, user_agent: other };
  }

  /** Returns the user agents of an account; undefined for one beyond the bounds. */
  #agentsOf(user: string, project: string): Set<string> | undefined {
    const known = this.#agents.get(user);
    if (known) return known;
    const { accounts, accountsOfProject } = this.limits;
    const count = this.#accountsOfProject.get(project) ?? 0;
    if (this.#agents.size >= accounts || (project !== '' && count >= accountsOfProject)) return undefined;
    const agents = new Set<string>();
    this.#agents.set(user, agents);
    this.#accountsOfProject.set(project, count + 1);
    return agents;
  }
}
