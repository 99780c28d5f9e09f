/** An object as loaded from YAML. */
export interface Loaded {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** Fields that an import never keeps, because Kubernetes or pinion owns them. */
const owned =
  /^(apiVersion|kind|status|metadata\.(name|namespace|annotations\.meta\.helm\.sh)|spec\.(selector|scaleTargetRef)\b)|\.(apiVersion)$/;

/** Values that are defaults, so that generated objects may omit them. */
const defaults: readonly RegExp[] = [
  /defaultMode = 420$/,
  /revisionHistoryLimit = 10$/,
  /enableServiceLinks = true$/,
  /dnsPolicy = ClusterFirst$/,
  /imagePullPolicy = IfNotPresent$/,
  /suspend = false$/,
  /sessionAffinity = None$/,
  /volumeMode = Filesystem$/,
  /concurrencyPolicy = Forbid$/,
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

/** Returns the scalars of an object by path, in which names stand for the positions of list entries. */
export function flattened(value: unknown, path = ''): Map<string, string> {
  if (value === null || typeof value !== 'object') return new Map([[path, String(value)]]);
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
  return originals.flatMap((original) => lossesOf(original, generated, comments));
}

function lossesOf(original: Loaded, generated: readonly Loaded[], comments: string): string[] {
  const title = `${original.kind} ${original.metadata.name}`;
  const { namespace } = original.metadata;
  const namespaced = `${original.kind} ${namespace === undefined ? '' : `${namespace}/`}${original.metadata.name}`;
  // An object that stays is only named.
  if (comments.includes(`- ${title}: is `) || comments.includes(`- ${namespaced}`)) return [];
  const candidates = generated.filter(({ kind }) => kind === original.kind);
  const named = candidates.filter(({ metadata }) => metadata.name === original.metadata.name);
  const targets = (named.length > 0 ? named : candidates).map((candidate) => flattened(candidate));
  return [...flattened(original)]
    .filter(([path, value]) => !owned.test(path) && !targets.some((target) => target.get(path) === value))
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
