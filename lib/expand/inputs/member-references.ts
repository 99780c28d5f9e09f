import { numberAt, podTemplatesOf, textAt, valueAt, type FieldPath, type Problem, type Workload } from '../../api';
import { hostsOfJob } from '../endpoints/member-hosts';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { containerPaths } from '../policies/rule-paths';

/** Members of a StatefulSet or Job by which a headless Service names them: `<base>-<first>` to `<base>-<last>`. */
interface Members {
  readonly base: string;
  readonly first: number;
  readonly last: number;
}

interface HostReference {
  readonly object: string;
  readonly path: FieldPath;
  readonly host: string;
  readonly base: string;
  readonly index: number;
  /** Namespace and name of the Service. */
  readonly service: string;
}

/** Host name of a member: `cart-0.cart-members`, with or without its namespace. */
const memberHost =
  /(?<![\w.-])((?:[a-z0-9][-a-z0-9]*)?[a-z0-9])-(\d{1,6})\.([a-z0-9][-a-z0-9]*)(?:\.([a-z0-9][-a-z0-9]*)(?:\.svc(?:\.[-.a-z0-9]*[a-z0-9])?)?)?(?![\w.-]*\w)/g;

/** Endpoint whose host name is that of a Service for one member: `--rdzv_endpoint=train-worker-0:29400`. */
const endpoint = /(?:^|[\s,])--(?:rdzv[-_]endpoint|master[-_]addr)[=\s]([a-z][-a-z0-9]*-\d+)(?=$|[:\s])/;
const endpointVariables = [
  ...['PET_RDZV_ENDPOINT', 'MASTER_ADDR', 'PET_MASTER_ADDR'],
  ...['COORDINATOR_ADDRESS', 'JAX_COORDINATOR_ADDRESS'],
];

/** Host names of members in arguments and variables, and the members of the workloads of the inputs. */
export class MemberReferences {
  readonly #services = new Map<string, Members[]>();
  readonly #references: HostReference[] = [];
  readonly #problems: Problem[] = [];

  /** Adds the members and references of a workload, given by its name. */
  add(object: string, workload: Workload, objects: readonly KubernetesObject[]): void {
    const { namespace } = workload.metadata;
    for (const one of objects) {
      const found = membersOf(one, workload);
      if (!found) continue;
      const key = `${namespace}/${found.service}`;
      this.#services.set(key, withMembers(this.#services.get(key) ?? [], found.members));
    }
    const texts = textsOf(workload);
    if (valueAt(workload.spec, ['framework']) !== undefined) this.#addEndpoints(object, workload, objects, texts);
    for (const { text, path } of texts)
      for (const [host, base = '', index, service = '', other = namespace] of text.matchAll(memberHost))
        this.#references.push({ object, path, host, base, index: Number(index), service: `${other}/${service}` });
  }

  /** Endpoints of a training job, which begin with its name; those of other workloads may be host names of any network. */
  #addEndpoints(
    object: string,
    workload: Workload,
    objects: readonly KubernetesObject[],
    texts: readonly Text[],
  ): void {
    const services = objects.flatMap(({ kind, metadata }) => (kind === 'Service' ? [metadata.name] : []));
    const members = objects.flatMap((one) => membersOf(one, workload) ?? []);
    for (const { text, path, name = '' } of texts) {
      const host = endpointVariables.includes(name)
        ? /^([a-z][-a-z0-9]*-\d+)(:|$)/.exec(text)?.[1]
        : endpoint.exec(text)?.[1];
      if (host?.startsWith(`${workload.metadata.name}-`) !== true || services.includes(host)) continue;
      const ranges = members.map((one) => rangeOf(one.members, one.service));
      this.#problems.push(problemOf(object, path, host, 'no Service of this workload has this name', ranges));
    }
  }

  /** Warns about members that a workload of the inputs does not have; other host names are not judged. */
  problems(): readonly Problem[] {
    const unknown = this.#references.flatMap(({ object, path, host, base, index, service }) => {
      const members = this.#services.get(service);
      const exists = (one: Members) => one.base === base && index >= one.first && index <= one.last;
      if (members === undefined || members.some(exists)) return [];
      const [, name = ''] = service.split('/');
      return problemOf(
        object,
        path,
        host,
        `the Service ${name} has no such member`,
        members.map((one) => rangeOf(one, name)),
      );
    });
    return [...this.#problems, ...unknown];
  }
}

const problemOf = (
  object: string,
  path: FieldPath,
  host: string,
  reason: string,
  ranges: readonly string[],
): Problem => ({
  code: 'unknown-reference',
  path,
  reason: `refers to ${host}, and ${reason}`,
  remedy:
    ranges.length > 0 ? `use ${ranges.join(' or ')}` : 'remove it; the platform sets the variables of the rendezvous',
  rule: 'member-known',
  severity: 'warning',
  object,
});

const rangeOf = ({ base, first, last }: Members, service: string): string =>
  `${base}-${first}.${service}${last > first ? ` to ${base}-${last}.${service}` : ''}`;

/** Adds members; those of Jobs of one shard each continue the ones before. */
function withMembers(all: readonly Members[], added: Members): Members[] {
  const last = all.at(-1);
  return last?.base === added.base && last.last + 1 === added.first
    ? [...all.slice(0, -1), { ...last, last: added.last }]
    : [...all, added];
}

function membersOf(
  object: KubernetesObject,
  { spec }: Workload,
): { readonly service: string; readonly members: Members } | undefined {
  const { kind } = object;
  const service = textAt(object, 'spec', 'serviceName') ?? textAt(object, 'spec', 'template', 'spec', 'subdomain');
  // The number of members of an elastic job changes.
  if (service === undefined || !['StatefulSet', 'Job'].includes(kind) || valueAt(spec, ['elastic']) !== undefined)
    return undefined;
  const members = kind === 'Job' ? membersOfJob(object) : membersOfSet(object);
  return members && { service, members };
}

function membersOfSet(set: KubernetesObject): Members {
  const first = numberAt(set, 'spec', 'ordinals', 'start') ?? 0;
  const count = numberAt(set, 'spec', 'replicas') ?? 1;
  return { base: set.metadata.name, first, last: first + Math.max(count, 1) - 1 };
}

function membersOfJob(job: KubernetesObject): Members | undefined {
  const hosts = [...hostsOfJob(job)];
  const [first, host] = hosts[0] ?? [];
  if (first === undefined || host === undefined) return undefined;
  return { base: host.slice(0, host.lastIndexOf('-')), first, last: first + hosts.length - 1 };
}

/** Text that may have host names of members. */
interface Text {
  readonly text: string;
  readonly path: FieldPath;
  /** Name of the variable. */
  readonly name?: string;
}

/** Lists the variables and arguments of a workload that may have host names of members. */
function textsOf(workload: Workload): readonly Text[] {
  const found: Text[] = [];
  const add = (text: string | undefined, path: FieldPath, name?: string) => {
    if (text !== undefined && /-\d/.test(text)) found.push({ text, path, ...(name !== undefined && { name }) });
  };
  for (const [name, text] of Object.entries(workload.spec.config?.env ?? {}))
    add(text, ['spec', 'config', 'env', name], name);
  for (const { template, path } of podTemplatesOf(workload))
    for (const { container, path: at } of containerPaths(template.spec, [...path, 'spec'])) {
      const { args = [], command = [], env } = container;
      command.forEach((text, index) => add(withOption(text, command[index - 1]), [...at, 'command', index]));
      args.forEach((text, index) => add(withOption(text, args[index - 1]), [...at, 'args', index]));
      env?.forEach(({ name, value }, index) => add(value, [...at, 'env', index, 'value'], name));
    }
  return found;
}

/** Returns an argument after the option of which it may be the value. */
const withOption = (text: string, before = ''): string => (/^--[-_a-z]+$/.test(before) ? `${before} ${text}` : text);
