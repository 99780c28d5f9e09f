import { type PodSpec, recommended, textAt, valueAt } from '../../api';
import { type KubernetesObject, type ProjectContext } from '../../expand';
import { listAllPages, type LiveObject, resourceOf } from '../../kube';
import { asked } from './api-calls';
import { CanaryFailure, NotChecked } from './canary-failure';
import { type CanaryInput } from './canary-deployer';
import { type CanaryDeps } from './canary-deps';
import { platformCause } from './diagnose';
import { missingFrom, templateIn } from './environment-check';
import { isApiError } from '../../kube';
import { listKinds, runningKinds, selectorOfWorkload } from './live-parts';
import { nativeObjects } from './synth-door';

/** A workload that is looked at, and in which world. */
export interface Checked {
  readonly world: CanaryDeps;
  readonly known: ProjectContext;
  readonly workload: CanaryInput;
}

const listOf = ({ world: { client, project }, workload }: Checked, kinds: readonly string[]): Promise<LiveObject[]> =>
  asked(listKinds(client, kinds, project, selectorOfWorkload(workload.kind, workload.metadata.name)));

/** Pods, or what they are made of, hold all that the platform promises in its present runtime profile. */
export async function checkEnvironment(checked: Checked): Promise<boolean> {
  const wanted = nativeObjects(checked.workload, checked.known).flatMap(podSpecOf);
  const pods = (await listOf(checked, ['Pod'])).map((pod) => pod['spec'] as PodSpec);
  const live = pods.length > 0 ? pods : (await listOf(checked, runningKinds)).flatMap(podSpecOf);
  const [expected] = wanted;
  if (!expected || live.length === 0) return false;
  const missing = live.flatMap((spec) => missingFrom(spec, expected));
  if (missing.length === 0) return true;
  const message = `pods lack what the runtime profile ${checked.known.profile.metadata.name} gives: ${[...new Set(missing)].join(', ')}`;
  const cause = platformCause(
    'runtime-profile',
    message,
    'see who changes pods on their way: webhooks, and the controller',
  );
  throw new CanaryFailure(message, { cause });
}

const podSpecOf = (object: KubernetesObject | LiveObject): PodSpec[] => {
  const spec = templateIn(object)?.spec;
  return spec ? [spec] : [];
};

/** Whether everything that makes pods is of the version of the workload. */
export async function isOfVersion(checked: Checked): Promise<boolean> {
  const live = await listOf(checked, runningKinds);
  const version = valueAt(checked.workload, ['spec', 'version']);
  return live.length > 0 && live.every(({ metadata }) => metadata.labels?.[recommended.version] === version);
}

/** The name of the workload's Service leads to its address, or to those of its pods. */
export async function checkNames(checked: Checked): Promise<boolean> {
  const { names, clusterDomain, project } = checked.world;
  if (!names) throw new NotChecked('no name server of the cluster was given');
  const [service] = await listOf(checked, ['Service']);
  if (!service) return false;
  const address = textAt(service, 'spec', 'clusterIP');
  const name = `${service.metadata.name}.${project}.svc.${clusterDomain}`;
  const found = await addressesOf(names, name);
  if (address === undefined || address === 'None') return found.length > 0;
  if (found.includes(address)) return true;
  if (found.length === 0) return false;
  const message = `${name} leads to ${found.join(', ')}, and its Service has ${address}`;
  throw new CanaryFailure(message, { call: { of: 'dns', status: 200, message } });
}

async function addressesOf({ name: server, addresses }: NonNullable<CanaryDeps['names']>, name: string) {
  try {
    return await addresses(name);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    // A name that is not known yet is asked for again.
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    const message = `${name}, asked of ${server}: ${typeof code === 'string' ? code : String(error)}`;
    throw new CanaryFailure(message, { call: { of: 'dns', status: 0, message } }, { cause: error });
  }
}

/** The Ingress of the workload names a class that exists. */
export async function checkEntrance(checked: Checked): Promise<boolean> {
  const { ingress } = checked.known.platform.spec;
  if (!ingress?.internal) throw new NotChecked('the Platform has no internal way in');
  const [live] = await listOf(checked, ['Ingress']);
  if (!live) return false;
  const wanted = textAt(live, 'spec', 'ingressClassName') ?? '';
  const path = `/apis/networking.k8s.io/v1/ingressclasses/${encodeURIComponent(wanted)}`;
  try {
    await checked.world.client.request('GET', path);
    return true;
  } catch (error) {
    if (!isApiError(error, 404)) return asked(Promise.reject(error as Error));
    const message = `IngressClass ${wanted}, which the Platform names for its internal way in, does not exist`;
    const cause = platformCause(
      'ingress',
      message,
      'install the ingress controller again, or correct spec.ingress of the Platform',
    );
    throw new CanaryFailure(message, { cause }, { cause: error });
  }
}

const registrar = 'pinion-traffic';

/** The registrar in each pod says that it registered the pod. */
export async function checkRegistration(checked: Checked): Promise<boolean> {
  const { client, project } = checked.world;
  const pods = await asked(
    listAllPages(client, 'Pod', {
      namespace: project,
      labelSelector: selectorOfWorkload(checked.workload.kind, checked.workload.metadata.name),
    }),
  );
  if (pods.length === 0) return false;
  const [pod] = pods;
  const port = pod && portOf(pod['spec'] as PodSpec);
  if (pod === undefined || port === undefined)
    throw new NotChecked('the runtime profile has no registrar in force here');
  const path = `/api/v1/namespaces/${project}/pods/${pod.metadata.name}:${port}/proxy/ready`;
  try {
    await client.request('GET', path, undefined, { timeout: 10_000, retries: 0 });
    return true;
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { status, message } = error;
    throw new CanaryFailure(
      message,
      { call: { of: 'registrar', status, message }, waitedFor: 'registration' },
      { cause: error },
    );
  }
}

const portOf = (spec: PodSpec): number | undefined =>
  [...(spec.initContainers ?? []), ...(spec.containers ?? [])].find(({ name }) => name === registrar)?.ports?.[0]
    ?.containerPort;

/** Nothing is left of the workload: neither it, nor what it became, nor pods. */
export async function isGone(checked: Checked): Promise<boolean> {
  const { world, workload } = checked;
  if (await asked(world.client.get(resourceOf(workload.kind), workload.metadata))) return false;
  return (await listOf(checked, [...runningKinds, 'Pod'])).length === 0;
}
