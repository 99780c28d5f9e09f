import * as z from 'zod';
import { type Problem } from '../api';
import { envelopeName, readArtifact, type PreparedArtifact, type SignedArtifact } from './artifact';
import { canonicalJson, readCanonicalJson } from './canonical-json';
import { envelopeBytes, type Envelope } from './envelope';
import { StoreUnavailable, type BlobStore, type ObjectEntry } from './blob-store';
import { mapConcurrently } from './map-concurrently';
import { referenceOf } from './statement';

/** Published version of a workflow. */
export interface PublishedVersion {
  readonly project: string;
  readonly name: string;
  readonly version: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** Time of the first publication, RFC 3339. */
  readonly published: string;
}

/** Versions of a store, with the keys of those that are corrupt. */
interface VersionListing {
  /** Newest first. */
  readonly versions: readonly PublishedVersion[];
  readonly corrupt: readonly string[];
}

/** Result of looking up a reference. */
interface ArtifactLookup {
  readonly artifact?: SignedArtifact;
  /** Whether it was never published. */
  readonly isAbsent?: boolean;
  readonly problems: readonly Problem[];
}

/** Result of storing an artifact. */
export type PutResult =
  /** `isNew` is false if the content was stored before; its new signature is added. */
  | { readonly isNew: boolean; readonly problems: readonly [] }
  | { readonly isNew?: undefined; readonly problems: readonly Problem[] };

const pointer = z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), published: z.string() });

const namePattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const projectPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const versionPattern = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** Parses `project/name@version`; undefined if invalid. */
export function parseReference(
  text: string,
): { readonly project: string; readonly name: string; readonly version: string } | undefined {
  const [, project = '', name = '', version = ''] = /^([^/@]+)\/([^/@]+)@([^/@]+)$/.exec(text) ?? [];
  return projectPattern.test(project) && namePattern.test(name) && versionPattern.test(version)
    ? { project, name, version }
    : undefined;
}

/** Returns whether a string is an artifact reference: `project/name@version`, or a digest. */
export const isReference = (text: string): boolean => digestPattern.test(text) || parseReference(text) !== undefined;

/**
 * Store of published artifacts: contents by digest, their signatures, and versions that point to contents.
 *

 * outlives its content, so it never gets another meaning.
 */
export class ArtifactStore {
  constructor(private readonly objects: BlobStore) {}

  /** Name for messages. */
  get name(): string {
    return this.objects.name;
  }

  /** Stores an artifact with a signature; rejects a version that has other content. */
  async put({ content, digest, bytes }: PreparedArtifact, envelope: Envelope, published: string): Promise<PutResult> {
    const key = versionKey(content);
    const before = await this.pointerAt(key);
    if (before && before.digest !== digest) return { problems: [versionConflict(referenceOf(content), before)] };
    await this.objects.create(contentKey(digest), bytes);
    await this.objects.create(`${signaturesOf(digest)}${envelopeName(envelope)}`, envelopeBytes(envelope));
    const isNew = await this.objects.create(key, Buffer.from(canonicalJson({ digest, published })));
    const after = isNew ? undefined : await this.pointerAt(key);
    if (after && after.digest !== digest) return { problems: [versionConflict(referenceOf(content), after)] };
    return { isNew, problems: [] };
  }

  /** Returns the artifact of `project/name@version` or of a digest, checked against the digest. */
  async get(reference: string): Promise<ArtifactLookup> {
    const named = parseReference(reference);
    const digest = named ? (await this.pointerAt(versionKey(named)))?.digest : digestPattern.exec(reference)?.[0];
    if (digest === undefined) return notFound(reference, this.name);
    const bytes = await this.objects.read(contentKey(digest));
    if (!bytes) return named ? { problems: [removedByRetention(reference)] } : notFound(reference, this.name);
    const found = readArtifact(digest, bytes, await this.signatures(digest));
    if (!found.artifact || !named || found.artifact.reference === reference) return found;
    const reason = `points to ${found.artifact.reference}`;
    const remedy = 'find out who modified the store';
    return { problems: [{ code: 'untrusted-artifact', path: [], value: reference, reason, remedy }] };
  }

  /** Returns whether anything of a project was ever published. */
  async hasProject(project: string): Promise<boolean> {
    return (await this.objects.list(`versions/${project}/`)).length > 0;
  }

  /**
   * Lists the keys of versions of a project, or of one workflow as `project/name`, with the time of their creation. Reads
   * no version.
   */
  versionKeys(of: string): Promise<readonly ObjectEntry[]> {
    return this.objects.list(`versions/${of}/`);
  }

  /** Returns the version of a key; undefined if it is corrupt. */
  async versionAt(key: string): Promise<PublishedVersion | undefined> {
    const [, project = '', name = '', version = ''] = key.split('/');
    const read = await this.pointerIn(key);
    return read && read !== 'corrupt' ? { project, name, version, ...read } : undefined;
  }

  /** Lists versions of all workflows, of a project, or of one workflow as `project/name`. */
  async list(of = ''): Promise<VersionListing> {
    const entries = await this.objects.list(of === '' ? 'versions/' : `versions/${of}/`);
    const corrupt: string[] = [];
    const found = await mapConcurrently(entries, async ({ key }): Promise<PublishedVersion[]> => {
      const [, project = '', name = '', version = ''] = key.split('/');
      const read = await this.pointerIn(key);
      if (read === 'corrupt') corrupt.push(key);
      return read && read !== 'corrupt' ? [{ project, name, version, ...read }] : [];
    });
    const versions = found.flat().sort((a, b) => (a.published > b.published ? -1 : a.published < b.published ? 1 : 0));
    return { versions, corrupt: corrupt.sort() };
  }

  /** Lists versions, newest first; throws if one is corrupt. */
  async versions(of = ''): Promise<readonly PublishedVersion[]> {
    const { versions, corrupt } = await this.list(of);
    if (corrupt.length > 0) throw this.corruptionError(corrupt);
    return versions;
  }

  /** Retains an artifact for a holder, such as `prod-1/production`, until its release. */
  async hold(digest: string, holder: string): Promise<void> {
    await this.objects.create(`${holdsOf(digest)}${encodeURIComponent(holder)}`, Buffer.alloc(0));
  }

  /** Releases an artifact that a holder retained. */
  async release(digest: string, holder: string): Promise<void> {
    await this.objects.remove(`${holdsOf(digest)}${encodeURIComponent(holder)}`);
  }

  /** Returns the holders of retained artifacts by digest. */
  async holders(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, string[]>();
    for (const { key } of await this.objects.list('holds/')) {
      const [, digest = '', holder = ''] = key.split('/');
      found.set(`sha256:${digest}`, [...(found.get(`sha256:${digest}`) ?? []), decodeURIComponent(holder)]);
    }
    return found;
  }

  /** Returns the digests of contents and signatures with the time of the last write. */
  async storedDigests(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const prefix of ['contents/', 'signatures/'])
      for (const { key, created } of await this.objects.list(prefix)) {
        const digest = `sha256:${key.split('/')[1] ?? ''}`;
        found.set(digest, Math.max(created, found.get(digest) ?? 0));
      }
    return found;
  }

  /** Removes a content and its signatures; its version cannot be published again. */
  async discard(digest: string): Promise<void> {
    await this.objects.remove(contentKey(digest));
    for (const { key } of await this.objects.list(signaturesOf(digest))) await this.objects.remove(key);
  }

  /** Removes incomplete writes of interrupted publications that are older than a time; returns their number. */
  removeDrafts(before: number): Promise<number> {
    return this.objects.removeDrafts(before);
  }

  private async pointerAt(key: string): Promise<z.output<typeof pointer> | undefined> {
    const read = await this.pointerIn(key);
    if (read === 'corrupt') throw this.corruptionError([key]);
    return read;
  }

  private async pointerIn(key: string): Promise<z.output<typeof pointer> | 'corrupt' | undefined> {
    const bytes = await this.objects.read(key);
    if (!bytes) return undefined;
    return pointer.safeParse(readCanonicalJson(bytes)).data ?? 'corrupt';
  }

  private corruptionError(keys: readonly string[]): StoreUnavailable {
    const [are, them] = keys.length === 1 ? ['is', 'the file'] : ['are', 'the files'];
    return new StoreUnavailable(
      `${this.name}: ${keys.join(', ')} ${are} corrupt; find out who modified the store, and restore ${them} from a backup`,
    );
  }

  private async signatures(digest: string): Promise<{ name: string; bytes: Uint8Array }[]> {
    const found = await mapConcurrently(await this.objects.list(signaturesOf(digest)), async ({ key }) => {
      const bytes = await this.objects.read(key);
      return bytes ? [{ name: key.split('/').at(-1) ?? '', bytes }] : [];
    });
    return found.flat();
  }
}

const digestPattern = /^sha256:[0-9a-f]{64}$/;
const hexOf = (digest: string): string => digest.replace(/^sha256:/, '');
const contentKey = (digest: string): string => `contents/${hexOf(digest)}`;
const signaturesOf = (digest: string): string => `signatures/${hexOf(digest)}/`;
const holdsOf = (digest: string): string => `holds/${hexOf(digest)}/`;
const versionKey = ({ project, name, version }: { project: string; name: string; version: string }): string =>
  `versions/${project}/${name}/${version}`;

const versionConflict = (value: string, { digest, published }: z.output<typeof pointer>): Problem => ({
  code: 'duplicate',
  path: ['version'],
  value,
  reason: `was already published on ${published} with other content, ${digest.slice(0, 19)}`,
  remedy: 'use a new version; published versions are immutable',
});

const notFound = (value: string, store: string): ArtifactLookup => {
  const reason = `is not in the artifact store ${store}`;
  const remedy = 'use project/name@version or sha256:<digest> of one that "pinion artifact list" prints';
  return { isAbsent: true, problems: [{ code: 'unknown-reference', path: [], value, reason, remedy }] };
};

const removedByRetention = (value: string): Problem => ({
  code: 'unknown-reference',
  path: [],
  value,
  reason: 'was removed from the store by retention',
  remedy: 'publish it again from its commit, which yields the same artifact, or choose another version',
});
