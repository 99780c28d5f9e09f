import { type PlatformManifest, type Status } from '../api';
import { gatewayInjectionKind } from '../expand';
import { errorText, type KubeClient, listPages, type LiveObject } from '../client';

type GatewayStatus = NonNullable<Status<'Platform'>['gateway']>;
type Gateway = NonNullable<PlatformManifest<'Platform'>['spec']['gateway']>;
type KubernetesVersion = PlatformManifest<'Platform'>['spec']['kubernetesVersion'];

/** What the enforcement of the gateway reads. */
export interface GatewayEnforcementOptions {
  readonly client: Pick<KubeClient, 'get' | 'list'>;
  /** Returns all Projects of the cluster. */
  readonly projects: () => readonly LiveObject[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Milliseconds between two counts of pods. */
const countInterval = 60_000;
/** The same once direct access is refused, when the count only informs. */
const enforcedInterval = 600_000;
/** Maximum pods that a status names. */
const maxNamed = 5;

/** Pod as far as its access to the API server is concerned. */
interface PodAccess extends LiveObject {
  readonly spec?: {
    readonly volumes?: readonly {
      readonly projected?: {
        readonly sources?: readonly { readonly serviceAccountToken?: { readonly audience?: string } }[];
      };
    }[];
  };
  readonly status?: { readonly phase?: string };
}

/** Returns whether a pod has, or gets at its start, a token that the API server accepts. */
export function hasDirectToken({ spec, status }: PodAccess, audiences: readonly string[]): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  return (spec?.volumes ?? []).some(({ projected }) =>
    (projected?.sources ?? []).some(({ serviceAccountToken: token }) => {
      if (!token) return false;
      return token.audience === undefined || token.audience === '' || audiences.includes(token.audience);
    }),
  );
}

/**
 * Decides whether direct access to the API server is refused. That begins once it hits no pod: each that is older than
 * the policies keeps its token, which the kubelet renews, until it is replaced.
 */
export class GatewayEnforcement {
  readonly #options: GatewayEnforcementOptions;
  #last: { readonly key: string; readonly at: number; readonly status: GatewayStatus } | undefined;

  constructor(options: GatewayEnforcementOptions) {
    this.#options = options;
  }

  /**
   * Returns the state to report for a Platform, and when to look again; undefined without a stage. What is enforced
   * stays so until the Platform ends it.
   */
  async stateOf(
    { spec }: PlatformManifest<'Platform'>,
    previous: GatewayStatus | undefined,
  ): Promise<{ readonly status: GatewayStatus; readonly requeueAfter?: number } | undefined> {
    const { gateway, kubernetesVersion } = spec;
    if (!gateway || gateway.stage === 'Off') return undefined;
    const isEnforced = gateway.stage === 'Enforce' && previous?.enforced === true;
    const key = JSON.stringify([gateway, kubernetesVersion]);
    const last = this.#last;
    if (last?.key === key && (last.status.enforced || !isEnforced)) {
      const remaining = intervalOf(last.status) - (this.#options.now() - last.at);
      if (remaining > 0) return { status: last.status, requeueAfter: remaining };
    }
    const status = await this.#check(gateway, kubernetesVersion, isEnforced).catch((error: unknown) => ({
      enforced: isEnforced,
      pendingReason: shortened(
        `The controller cannot read what it needs; apply the output of pinion install for this Platform: ${errorText(error)}`,
      ),
    }));
    this.#last = { key, at: this.#options.now(), status };
    return { status, requeueAfter: intervalOf(status) };
  }

  async #check(gateway: Gateway, kubernetesVersion: KubernetesVersion, isEnforced: boolean): Promise<GatewayStatus> {
    const kind = gatewayInjectionKind(kubernetesVersion);
    const policy = await this.#options.client.get({ ...kind, namespaced: false }, { name: kind.name });
    if (!policy)
      return {
        enforced: isEnforced,
        pendingReason: `Nothing leads native pods to the gateway: the API server has no ${kind.kind} ${kind.name} in ${kind.apiVersion}. Apply the output of pinion install for this Platform; Kubernetes 1.35 serves the API only with the feature gate MutatingAdmissionPolicy and its runtime-config.`,
      };
    const pods = await this.#directPods(gateway);
    const isReached = gateway.stage === 'Enforce' && (gateway.force || pods.length === 0);
    const enforced = isEnforced || isReached;
    return {
      enforced,
      directPods: pods.length,
      ...(pods.length > 0 && { pendingReason: reasonOf(pods, enforced) }),
    };
  }

  /** Lists the pods of projects that must use the gateway with a token for the API server, by namespace and name. */
  async #directPods({ audiences, directProjects }: Gateway): Promise<readonly string[]> {
    const { client, projects } = this.#options;
    const governed = new Set(
      projects()
        .filter(({ metadata, ...project }) => !directProjects.includes(metadata.name) && !isInfrastructure(project))
        .map(({ metadata }) => metadata.name),
    );
    const found: string[] = [];
    for await (const page of listPages(client, 'Pod'))
      for (const pod of page as readonly PodAccess[]) {
        const { namespace = '', name } = pod.metadata;
        if (governed.has(namespace) && hasDirectToken(pod, audiences)) found.push(`${namespace}/${name}`);
      }
    return found.sort();
  }
}

const intervalOf = ({ enforced }: GatewayStatus): number => (enforced ? enforcedInterval : countInterval);

/** Returns which pods keep direct access, and how that ends. */
function reasonOf(pods: readonly string[], enforced: boolean): string {
  const named = pods.slice(0, maxNamed).join(', ');
  const more = pods.length > maxNamed ? ` and ${pods.length - maxNamed} more` : '';
  const remedy = enforced
    ? 'They keep it until they are replaced, although new pods are refused. Replace them.'
    : 'Replace them, so that they are led to the gateway; set apiAccess of their workloads, or list their projects in spec.gateway.directProjects.';
  return shortened(`${pods.length} pods have a token for the API server: ${named}${more}. ${remedy}`);
}

/** A reason in the status has at most 1,024 characters. */
const shortened = (text: string): string => text.slice(0, 1024);

const isInfrastructure = (project: Readonly<Record<string, unknown>>): boolean =>
  (project['spec'] as { readonly infrastructure?: boolean } | undefined)?.infrastructure === true;
