import { formatPath, type FieldPath, type Problem, type Source } from '../../../api';
import { type Origin, type ProjectContext } from '../../../expand';

/** Locates the manifests in which fields are set. */
export interface SourceLocator {
  readonly kind: string;
  readonly context: ProjectContext;
  /** Place of a field of the workload. */
  user(path: FieldPath): Source;
  /** Place of a field of a document of the cluster, `Kind name` first; undefined for built-in ones. */
  cluster(object: string, path: Problem['path']): Source | undefined;
}

/** Returns where an origin was written; undefined for defaults. */
export function sourceOf({ by, path = [] }: Origin, places: SourceLocator): Source | undefined {
  if (by === 'user' || by === 'patch') return places.user(path);
  const document = documentOf(by, places);
  return document === undefined ? undefined : places.cluster(document, path);
}

/** Returns a short text for an origin: `shop.yaml:14:3 spec.replicas`, `profile standard: logs`. */
export function originText(origin: Origin, places: SourceLocator): string {
  return `${origin.presence ? 'because of ' : ''}${plainText(origin, places)}`;
}

function plainText(origin: Origin, places: SourceLocator): string {
  const { by, path, part } = origin;
  const source = sourceOf(origin, places);
  const at = source ? `${source.file}:${source.line}:${source.column}` : '';
  const field = path && path.length > 0 ? formatPath(path) : '';
  if (by === 'user') return `${at} ${field}`;
  if (by === 'patch') return `patch ${at} ${field}`;
  if (by === 'default') return `default ${field}`;
  if (by === 'kind') return places.kind;
  const document = documentOf(by, places) ?? by;
  return [`${document}:`, part === undefined ? '' : `part ${part}`, field, at === '' ? '' : `(${at})`]
    .filter((word) => word !== '')
    .join(' ')
    .replace(/:$/, '');
}

function documentOf(by: Origin['by'], { context }: SourceLocator): string | undefined {
  if (by === 'platform') return `Platform ${context.platform.metadata.name}`;
  if (by === 'project') return `Project ${context.project.metadata.name}`;
  return by === 'profile' ? `RuntimeProfile ${context.profile.metadata.name}` : undefined;
}
