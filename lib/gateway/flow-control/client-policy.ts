import {
  type Clock,
  errorText,
  isApiError,
  type KubeClient,
  resourceOf,
  type SharedInformer,
  SharedInformerFactory,
} from '../../kube';
import { type DefaultApiBudgets, defaultApiBudgets } from './api-budget';
import { defaultFlowPolicyFacts, type FlowPolicyFacts } from './flow-policy';
import {
  maxAgesOf,
  type PlatformClients,
  platformBudgets,
  platformClientsOf,
  type ProjectBudget,
  projectBudgetOf,
  projectBudgets,
} from './policy-objects';

/** Options of the policy of clients. */
export interface ClientPolicyOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Budgets where the Platform states none. */
  readonly budgets?: DefaultApiBudgets | undefined;
  /** Namespaces of the platform's programs, in addition to those that the Platform names. */
  readonly platformNamespaces?: readonly string[] | undefined;
  readonly onError: (error: unknown) => void;
}

/** What the Platform and the Projects state about clients; changes act at once. */
export class ClientPolicy {
  readonly #factory: SharedInformerFactory;
  readonly #platforms: SharedInformer<PlatformClients>;
  readonly #projects: SharedInformer<ProjectBudget>;
  #current: Policy | undefined;

  constructor(private readonly options: ClientPolicyOptions) {
    const { client, clock, onError } = options;
    this.#factory = new SharedInformerFactory({
      client,
      clock,
      streamLists: true,
      // A cluster may have neither definition.
      onError: (error) => {
        if (!isApiError(error, 404)) onError(error);
      },
      onUndecodable: (key, error, { kind }) =>
        onError(new Error(`${kind} "${key}" is unreadable: ${errorText(error)}`)),
    });
    const optional = true;
    this.#platforms = this.#factory.informer({
      optional,
      resource: resourceOf('Platform'),
      transform: platformClientsOf,
    });
    this.#projects = this.#factory.informer({ optional, resource: resourceOf('Project'), transform: projectBudgetOf });
    const changed = (): void => void (this.#current = undefined);
    for (const informer of [this.#platforms, this.#projects])
      informer.addEventHandler({ onAdd: changed, onUpdate: changed, onDelete: changed });
  }

  /** Begins to watch. */
  start(): void {
    this.#factory.start();
  }

  /** Stops watching. */
  stop(): Promise<void> {
    return this.#factory.stop();
  }

  /** Facts about levels and budgets as they are known now. */
  get flow(): FlowPolicyFacts {
    return this.#known.flow;
  }

  /** Maximum ages of reads without a version, in milliseconds, by resource; API servers answer those of all others. */
  get maxAges(): ReadonlyMap<string, number> {
    return this.#known.maxAges;
  }

  /** What the Platform states about gateways: their number, and the authorities that clients trust. */
  get gateway(): PlatformClients['gateway'] {
    return this.#known.gateway;
  }

  get #known(): Policy {
    return (this.#current ??= this.#read());
  }

  #read(): Policy {
    const { budgets = defaultApiBudgets, platformNamespaces = [] } = this.options;
    const [platform] = this.#platforms.store.list();
    const standard = platformBudgets(platform ?? {}, budgets);
    const stated = [...this.#projects.store.list()].filter((project) => project.stated !== undefined);
    return {
      flow: {
        platformNamespaces: new Set([
          ...defaultFlowPolicyFacts.platformNamespaces,
          ...platformNamespaces,
          ...(platform?.systemNamespaces ?? []).map(({ name }) => name),
          ...(platform?.runtime.project === undefined ? [] : [platform.runtime.project]),
        ]),
        onCallGroups: new Set(
          platform ? [...platform.administrators, ...platform.breakGlass] : defaultFlowPolicyFacts.onCallGroups,
        ),
        projects: new Map(stated.map((project) => [project.project, projectBudgets(project, standard)])),
        default: standard,
      },
      maxAges: maxAgesOf(platform ?? {}),
      gateway: platform?.gateway ?? {},
    };
  }
}

interface Policy {
  readonly flow: FlowPolicyFacts;
  readonly maxAges: ReadonlyMap<string, number>;
  readonly gateway: PlatformClients['gateway'];
}
