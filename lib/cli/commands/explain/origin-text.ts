import { formatPath, type FieldPath, type Problem, type Source } from '../../../api';
import { type Origin, type ProjectContext } from '../../../expand';

/** Source locations of the manifests that set fields. */
export interface SourceLocator {
  readonly kind: string;
  readonly context: ProjectContext;
  /** Returns the source location of a field of the workload. */
  user(path: FieldPath): Source;
  /** Returns the source location of a field of a cluster manifest, by `Kind name`; undefined for built-in ones. */
  cluster(object: string, path: Problem['path']): Source | undefined;
}

/** Returns the source location of an origin; undefined for defaults. */
export function sourceOf({ by, path = [] }: Origin, locator: SourceLocator): Source | undefined {
  if (by === 'user' || by === 'patch') return locator.user(path);
  const document = documentOf(by, locator);
  return document === undefined ? undefined : locator.cluster(document, path);
}

/** Returns a short text for an origin: `shop.yaml:14:3 spec.replicas`, `profile standard: logs`. */
export function originText(origin: Origin, locator: SourceLocator): string {
  return `${origin.presence ? 'because of ' : ''}${plainText(origin, locator)}`;
}

function plainText(origin: Origin, locator: SourceLocator): string {
  const { by, path, part } = origin;
  const source = sourceOf(origin, locator);
  const location = source ? `${source.file}:${source.line}:${source.column}` : '';
  const field = path && path.length > 0 ? formatPath(path) : '';
  if (by === 'user') return `${location} ${field}`;
  if (by === 'patch') return `patch ${location} ${field}`;
  if (by === 'default') return `default ${field}`;
  if (by === 'kind') return locator.kind;
  const document = documentOf(by, locator) ?? by;
  return [`${document}:`, part === undefined ? '' : `part ${part}`, field, location === '' ? '' : `(${location})`]
    .filter((word) => word !== '')
    .join(' ')
    .replace(/:$/, '');
}

function documentOf(by: Origin['by'], { context }: SourceLocator): string | undefined {
  if (by === 'platform') return `Platform ${context.platform.metadata.name}`;
  if (by === 'project') return `Project ${context.project.metadata.name}`;
  return by === 'profile' ? `RuntimeProfile ${context.profile.metadata.name}` : undefined;
}
