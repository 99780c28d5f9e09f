import { validateManifest } from './validate-manifest';
import { isPlatformKind, pinionKinds, type PinionKind, type PlatformKind, type Spec } from '../kinds/kinds';
import { isWorkloadKind, type WorkloadKind } from '../kinds/workload-kinds';
import { type apiVersion } from '../names';
import { nearest } from '../values/nearest';
import { isPlainObject } from '../values/plain-object';
import { ProblemsError, type Problem } from '../problem';
import { schemaOf, type SpecInput } from '../schemas';

declare const parsed: unique symbol;

/** Metadata fields of a manifest; others are set by the API server. */
export interface Metadata {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Manifest of a pinion kind before parsing. */
export interface ManifestInput<K extends PinionKind = PinionKind> {
  readonly apiVersion: typeof apiVersion;
  readonly kind: K;
  readonly metadata: Metadata;
  readonly spec: SpecInput<K>;
}

/** Parsed manifest, of kind `K` if given. */
interface ParsedManifest<K extends PinionKind> {
  readonly [parsed]: true;
  readonly kind: K;
  readonly metadata: Metadata & { readonly namespace: string };
  readonly spec: Spec<K>;
}

/** Manifest with defaults and normalized values; created only by `parseManifest`. */
export type Manifest<K extends PinionKind = PinionKind> = { [Kind in K]: ParsedManifest<Kind> }[K];
/** Parsed workload manifest. */
export type Workload<K extends WorkloadKind = WorkloadKind> = Manifest<K>;
/** Parsed Project, RuntimeProfile or Platform. */
export type PlatformManifest<K extends PlatformKind = PlatformKind> = Manifest<K>;

/** Result of parsing: the manifest unless there are errors, and all problems. */
export interface ManifestResult {
  readonly manifest?: Manifest;
  readonly problems: readonly Problem[];
}

/** Parses a manifest; throws a `ProblemsError` with all problems. */
export function parseManifest<K extends PinionKind>(input: ManifestInput<K>): Manifest<K> {
  const { manifest: document, problems } = safeParseManifest(input);
  if (!document) throw new ProblemsError(problems);
  return document as Manifest<K>;
}

/** Parses a manifest of any kind; returns all problems and never throws for bad input. */
export function safeParseManifest(input: unknown): ManifestResult {
  if (!isPlainObject(input)) return { problems: [unknownKind([], input, 'is not an object')] };
  const kind = input['kind'];
  if (!isWorkloadKind(kind) && !isPlatformKind(kind)) return { problems: [kindProblem(kind)] };
  const { data, problems } = validateManifest(input, kind, schemaOf(kind));
  if (data === undefined) return { problems };
  const metadata = input['metadata'] as Metadata;
  const document = {
    kind,
    metadata: { ...metadata, namespace: isWorkloadKind(kind) ? metadata.namespace : '' },
    spec: data,
  };
  return { manifest: document as Workload, problems };
}

function kindProblem(kind: unknown): Problem {
  const suggestion = typeof kind === 'string' ? nearest(kind, Object.keys(pinionKinds)) : undefined;
  return unknownKind(['kind'], kind, kind === undefined ? 'is missing' : 'is not a pinion kind', suggestion);
}

const unknownKind = (path: string[], value: unknown, reason: string, suggestion?: string): Problem => ({
  code: 'unknown-kind',
  path,
  value,
  reason,
  remedy: suggestion ? `did you mean "${suggestion}"?` : `use ${Object.keys(pinionKinds).join(', ')}`,
});
