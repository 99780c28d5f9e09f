/** An object as loaded from YAML. */
export interface Loaded {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** Fields that an import never keeps, because Kubernetes or pinion owns them. */
const owned =
  /^(apiVersion|kind|status|metadata\.(name|namespace|annotations\.meta\.helm\.sh|labels\.(helm\.sh|chart|heritage|app\.kubernetes\.io\/managed-by))|spec\.(selector|scaleTargetRef)\b)|\.(apiVersion)$/;

/** Values that are defaults, so that generated objects may omit them. */
const defaults: readonly RegExp[] = [
  // Kubernetes reads null as absent.
  / = null$/,
  /defaultMode = 420$/,
  /revisionHistoryLimit = 10$/,
  /dnsPolicy = ClusterFirst$/,
  /imagePullPolicy = IfNotPresent$/,
  /suspend = false$/,
  /sessionAffinity = None$/,
  /volumeMode = Filesystem$/,
  /concurrencyPolicy = Forbid$/,
  /restartPolicy = Always$/,
  /httpGet\.scheme = HTTP$/,
  /^spec\.network\.(enableDNSHostnames|publishNotReadyAddresses) = true$/,
  /^spec\.successPolicy\.operator = All$/,
  /^spec\.elasticPolicy\.rdzvBackend = c10d$/,
  /(ReplicaSpecs\.\w+|replicatedJobs\[\w+\])\.replicas = 1$/,
  /ReplicaSpecs\.\w+\.restartPolicy = OnFailure$/,
  /replicatedJobs\[\w+\]\.name = /,
  /ports\[\d+\]\.protocol = TCP$/,
  /Probe\.(timeoutSeconds = 1|periodSeconds = 10|successThreshold = 1|failureThreshold = 3|initialDelaySeconds = 0)$/,
];

/** Values that have another form in generated objects: the number of a named port, the role of `iamRole`, and autoscaled replicas. */
function hasOtherForm(original: Loaded, path: string, generated: readonly Loaded[]): boolean {
  if (original.kind === 'Ingress') return /backend\.service\.port\.name$/.test(path);
  if (original.kind === 'ServiceAccount') return path === 'metadata.annotations.eks.amazonaws.com/role-arn';
  return (
    path === 'spec.replicas' &&
    generated.some(
      ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === original.metadata.name,
    )
  );
}

/** Kinds whose objects create Jobs. */
const isRunPath = /^(Job|JobSet|TFJob|PyTorchJob|JAXJob)$/;
const jobOwners = ['JobSet', 'TFJob', 'PyTorchJob', 'JAXJob'];

/** Returns the path of a value in the Job that it belongs to. */
const pathInJob = (path: string): string =>
  path
    .replace(/^spec\.replicatedJobs\[\w+\]\.template\.spec\b/, 'spec')
    .replace(/^spec\.\w+ReplicaSpecs\.\w+\.template\b/, 'spec.template')
    .replace(/^spec\.backoffLimit$/, 'spec.backoffLimitPerIndex');

/** Fields of a JobSet by the names that a custom resource has for them. */
const renamed: Readonly<Record<string, string>> = {
  replicatedJob: 'job',
  targetReplicatedJobs: 'jobs',
  onJobFailureReasons: 'reasons',
  'alpha.jobset.sigs.k8s.io/exclusive-topology': 'exclusiveTopology',
};
/** Values of a JobSet that a custom resource says in another way. */
const saidOtherwise: Readonly<Record<string, (text: string) => boolean>> = {
  'spec.coordinator.jobIndex = 0': (text) => !/^ *replica:/m.test(text),
  'spec.coordinator.podIndex = 0': (text) => !/^ *shard:/m.test(text),
  'spec.startupPolicy.startupPolicyOrder = InOrder': (text) => /^ *dependsOn:$/m.test(text),
  'spec.network.enableDNSHostnames = false': (text) => !/^ *dnsNames: true$/m.test(text),
};

/** Returns whether a custom resource says a value under the same name, such as `maxRestarts: 3`, or in a list of that name. */
function isField(path: string, value: string, text: string): boolean {
  if (saidOtherwise[`${path} = ${value}`]?.(text) === true) return true;
  const field = path.replace(/\[[^\]]*\]$/, '').replace(/^.*(?:\.(?=[^./]+$)|annotations\.)/, '');
  const name = Object.hasOwn(renamed, field) ? (renamed[field] ?? field) : field;
  const escaped = `"?${value.replace(/\W/g, '\\$&')}"?`;
  return path.endsWith(']')
    ? new RegExp(`^( *)(- )?${name}:\\n(\\1 *- .*\\n)*?\\1 *- ${escaped}$`, 'm').test(text)
    : new RegExp(`^ *(- )?${name}: ${escaped}$`, 'm').test(text);
}

/** Returns the scalars of an object by path, in which names stand for the positions of list entries. */
export function flattened(value: unknown, path = ''): Map<string, string> {
  // 1000m of CPU are 1.
  if (value === null || typeof value !== 'object') return new Map([[path, String(value).replace(/^(\d+)000m$/, '$1')]]);
  const entries = Array.isArray(value)
    ? value.map((entry: unknown, index) => [`${path}[${identity(entry) ?? index}]`, entry] as const)
    : Object.entries(value).map(
        ([key, entry]) => [`${path}${path === '' ? '' : '.'}${key}`, entry as unknown] as const,
      );
  return new Map(entries.flatMap(([next, entry]) => [...flattened(entry, next)]));
}

function identity(entry: unknown): string | undefined {
  if (entry === null || typeof entry !== 'object') return String(entry);
  const { mountPath, containerPort, port, name, topologyKey, whenUnsatisfiable } = entry as Readonly<
    Record<string, unknown>
  >;
  const spread = topologyKey === undefined ? undefined : `${String(topologyKey)} ${String(whenUnsatisfiable)}`;
  const found = mountPath ?? containerPort ?? port ?? name ?? spread;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

/** Returns the values of objects that the generated ones lack, and that no comment says. */
export function silentLosses(originals: readonly Loaded[], generated: readonly Loaded[], text: string): string[] {
  const comments = text
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => line.slice(1).trim())
    .join(' ');
  const isRun = (original: Loaded): boolean => jobOwners.includes(original.kind);
  return originals.flatMap((original) =>
    lossesOf(original, generated, comments, (path, value) => isRun(original) && isField(path, value, text)),
  );
}

/** Returns the names of the replicated jobs of a JobSet. */
const jobsIn = ({ spec }: Loaded): readonly string[] =>
  ((spec as { readonly replicatedJobs?: readonly { readonly name: string }[] } | undefined)?.replicatedJobs ?? []).map(
    ({ name }) => name,
  );

/** Returns the name of the replicated job that a generated Job belongs to. */
const jobOf = ({ metadata }: Loaded): string | undefined =>
  (metadata as { readonly labels?: Readonly<Record<string, string>> }).labels?.['pinterest.com/job'];

function lossesOf(
  original: Loaded,
  generated: readonly Loaded[],
  comments: string,
  isCarriedOver: (path: string, value: string) => boolean,
): string[] {
  const title = `${original.kind} ${original.metadata.name}`;
  const { namespace } = original.metadata;
  const namespaced = `${original.kind} ${namespace === undefined ? '' : `${namespace}/`}${original.metadata.name}`;
  // An object that stays is only named.
  if (comments.includes(`- ${title}: is `) || comments.includes(`- ${namespaced}`)) return [];
  const isOwner = jobOwners.includes(original.kind);
  const candidates = generated.filter(({ kind }) => kind === (isOwner ? 'Job' : original.kind));
  const named = candidates.filter(({ metadata }) => metadata.name === original.metadata.name);
  const flat = (objects: readonly Loaded[]) => objects.map((candidate) => flattened(candidate));
  const all = flat(named.length > 0 ? named : candidates);
  const byJob = new Map(jobsIn(original).map((job) => [job, flat(candidates.filter((one) => jobOf(one) === job))]));
  /** Returns the generated objects that may have a value: the Jobs of its job, if each job has its own. */
  const targetsOf = (path: string): readonly Map<string, string>[] => {
    const own = byJob.get(/^spec\.replicatedJobs\[([^\]]+)\]/.exec(path)?.[1] ?? '') ?? [];
    return own.length > 0 ? own : all;
  };
  return [...flattened(original)]
    .filter(([path, value]) => !owned.test(path) && !targetsOf(path).some((target) => target.get(path) === value))
    .filter(
      ([path, value]) =>
        !isRunPath.test(original.kind) || !targetsOf(path).some((target) => target.get(pathInJob(path)) === value),
    )
    .filter(([path, value]) => !isCarriedOver(path, value))
    .filter(([path, value]) => !defaults.some((form) => form.test(`${path} = ${value}`)))
    .filter(([path]) => !hasOtherForm(original, path, generated))
    .filter(([, value]) => !isSaid(value, title, comments))
    .map(([path, value]) => `${title}: ${path} = ${value}`);
}

/** Returns whether the comments about an object say a value. */
function isSaid(value: string, title: string, comments: string): boolean {
  const escaped = JSON.stringify(value).slice(1, -1);
  return comments
    .split(' - ')
    .some(
      (comment) =>
        (comment.includes(title) || comment.startsWith('spec.')) &&
        (comment.includes(value) || comment.includes(escaped)),
    );
}
