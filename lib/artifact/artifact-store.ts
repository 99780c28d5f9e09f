import * as z from 'zod';
import { type Problem } from '../api';
import { envelopeName, readArtifact, type PreparedArtifact, type SignedArtifact } from './artifact';
import { canonicalJson, readCanonicalJson } from './canonical-json';
import { envelopeBytes, type Envelope } from './envelope';
import { StoreInaccessible, type Objects } from './objects';
import { sideBySide } from './side-by-side';
import { referenceOf } from './statement';

/** A version of a workflow that was published. */
export interface PublishedVersion {
  readonly project: string;
  readonly name: string;
  readonly version: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** When it was first published, RFC 3339. */
  readonly published: string;
}

/** Versions of a store, with the keys of those that cannot be read. */
interface VersionListing {
  /** The newest first. */
  readonly versions: readonly PublishedVersion[];
  readonly damaged: readonly string[];
}

/** What a store has of a reference. */
interface Found {
  readonly artifact?: SignedArtifact;
  /** Whether there never was one. */
  readonly isAbsent?: boolean;
  readonly problems: readonly Problem[];
}

/** What came of putting an artifact into a store. */
export type PutOutcome =
  /** `isNew` is false where this content was there; the signature is kept beside those that it has. */
  | { readonly isNew: boolean; readonly problems: readonly [] }
  | { readonly isNew?: undefined; readonly problems: readonly Problem[] };

const pointer = z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), published: z.string() });

const nameForm = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const projectForm = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const versionForm = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** Takes `project/name@version` apart; undefined for any other text. */
export function parseReference(
  text: string,
): { readonly project: string; readonly name: string; readonly version: string } | undefined {
  const [, project = '', name = '', version = ''] = /^([^/@]+)\/([^/@]+)@([^/@]+)$/.exec(text) ?? [];
  return projectForm.test(project) && nameForm.test(name) && versionForm.test(version)
    ? { project, name, version }
    : undefined;
}

/** Whether a text names an artifact: `project/name@version`, or a digest. */
export const isReference = (text: string): boolean => digestForm.test(text) || parseReference(text) !== undefined;

/**
 * Published artifacts: contents by their digest, signatures beside them, and versions that point at contents.
 *
 * Nothing is ever replaced. A version is written last, so that whoever is killed before leaves nothing that can be
 * found; it stays when its content is removed, so that it never means something else.
 */
export class ArtifactStore {
  constructor(private readonly objects: Objects) {}

  /** What it is called in messages. */
  get name(): string {
    return this.objects.name;
  }

  /** Keeps an artifact with a signature; refuses a version that another content has. */
  async put({ content, digest, bytes }: PreparedArtifact, envelope: Envelope, published: string): Promise<PutOutcome> {
    const key = versionKey(content);
    const before = await this.pointerAt(key);
    if (before && before.digest !== digest) return { problems: [taken(referenceOf(content), before)] };
    await this.objects.create(contentKey(digest), bytes);
    await this.objects.create(`${signaturesOf(digest)}${envelopeName(envelope)}`, envelopeBytes(envelope));
    const isNew = await this.objects.create(key, Buffer.from(canonicalJson({ digest, published })));
    const after = isNew ? undefined : await this.pointerAt(key);
    if (after && after.digest !== digest) return { problems: [taken(referenceOf(content), after)] };
    return { isNew, problems: [] };
  }

  /** The artifact of `project/name@version` or of a digest, read and held against its digest; or why it cannot be had. */
  async get(reference: string): Promise<Found> {
    const named = parseReference(reference);
    const digest = named ? (await this.pointerAt(versionKey(named)))?.digest : digestForm.exec(reference)?.[0];
    if (digest === undefined) return absent(reference, this.name);
    const bytes = await this.objects.read(contentKey(digest));
    if (!bytes) return named ? { problems: [removed(reference)] } : absent(reference, this.name);
    const found = readArtifact(digest, bytes, await this.signatures(digest));
    if (!found.artifact || !named || found.artifact.reference === reference) return found;
    const reason = `points at ${found.artifact.reference}`;
    const remedy = 'find out who wrote to the store';
    return { problems: [{ code: 'not-trusted', path: [], value: reference, reason, remedy }] };
  }

  /** Whether anything of a project was ever published here. */
  async knows(project: string): Promise<boolean> {
    return (await this.objects.list(`versions/${project}/`)).length > 0;
  }

  /** Versions of all workflows, of those of a project, or of one as `project/name`. */
  async listing(of = ''): Promise<VersionListing> {
    const entries = await this.objects.list(of === '' ? 'versions/' : `versions/${of}/`);
    const damaged: string[] = [];
    const found = await sideBySide(entries, async ({ key }): Promise<PublishedVersion[]> => {
      const [, project = '', name = '', version = ''] = key.split('/');
      const read = await this.pointerIn(key);
      if (read === 'damaged') damaged.push(key);
      return read && read !== 'damaged' ? [{ project, name, version, ...read }] : [];
    });
    const versions = found.flat().sort((a, b) => (a.published > b.published ? -1 : a.published < b.published ? 1 : 0));
    return { versions, damaged: damaged.sort() };
  }

  /** The same for who must know all of them, the newest first: throws where one cannot be read. */
  async versions(of = ''): Promise<readonly PublishedVersion[]> {
    const { versions, damaged } = await this.listing(of);
    if (damaged.length > 0) throw this.damage(damaged);
    return versions;
  }

  /** Says that an artifact is needed by a holder, such as `prod-1/production`; it is kept until that lets go. */
  async hold(digest: string, holder: string): Promise<void> {
    await this.objects.create(`${holdsOf(digest)}${encodeURIComponent(holder)}`, Buffer.alloc(0));
  }

  /** Says that a holder needs an artifact no more. */
  async release(digest: string, holder: string): Promise<void> {
    await this.objects.remove(`${holdsOf(digest)}${encodeURIComponent(holder)}`);
  }

  /** Holders of all artifacts that have any, by digest. */
  async holders(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, string[]>();
    for (const { key } of await this.objects.list('holds/')) {
      const [, digest = '', holder = ''] = key.split('/');
      found.set(`sha256:${digest}`, [...(found.get(`sha256:${digest}`) ?? []), decodeURIComponent(holder)]);
    }
    return found;
  }

  /** Digests of contents and of signed ones, with the time of the last that was written for each. */
  async kept(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const prefix of ['contents/', 'signatures/'])
      for (const { key, created } of await this.objects.list(prefix)) {
        const digest = `sha256:${key.split('/')[1] ?? ''}`;
        found.set(digest, Math.max(created, found.get(digest) ?? 0));
      }
    return found;
  }

  /** Removes a content and its signatures; its version stays and is not given to another. */
  async discard(digest: string): Promise<void> {
    await this.objects.remove(contentKey(digest));
    for (const { key } of await this.objects.list(signaturesOf(digest))) await this.objects.remove(key);
  }

  /** Removes what publishers that were killed left half done before a moment; says how many. */
  removeDrafts(before: number): Promise<number> {
    return this.objects.removeDrafts(before);
  }

  private async pointerAt(key: string): Promise<z.output<typeof pointer> | undefined> {
    const read = await this.pointerIn(key);
    if (read === 'damaged') throw this.damage([key]);
    return read;
  }

  private async pointerIn(key: string): Promise<z.output<typeof pointer> | 'damaged' | undefined> {
    const bytes = await this.objects.read(key);
    if (!bytes) return undefined;
    return pointer.safeParse(readCanonicalJson(bytes)).data ?? 'damaged';
  }

  private damage(keys: readonly string[]): StoreInaccessible {
    const [are, them] = keys.length === 1 ? ['is', 'the file'] : ['are', 'the files'];
    return new StoreInaccessible(
      `${this.name}: ${keys.join(', ')} ${are} damaged; find out who wrote to the store, and bring ${them} back from a copy`,
    );
  }

  private async signatures(digest: string): Promise<{ name: string; bytes: Uint8Array }[]> {
    const found = await sideBySide(await this.objects.list(signaturesOf(digest)), async ({ key }) => {
      const bytes = await this.objects.read(key);
      return bytes ? [{ name: key.split('/').at(-1) ?? '', bytes }] : [];
    });
    return found.flat();
  }
}

const digestForm = /^sha256:[0-9a-f]{64}$/;
const hexOf = (digest: string): string => digest.replace(/^sha256:/, '');
const contentKey = (digest: string): string => `contents/${hexOf(digest)}`;
const signaturesOf = (digest: string): string => `signatures/${hexOf(digest)}/`;
const holdsOf = (digest: string): string => `holds/${hexOf(digest)}/`;
const versionKey = ({ project, name, version }: { project: string; name: string; version: string }): string =>
  `versions/${project}/${name}/${version}`;

const taken = (value: string, { digest, published }: z.output<typeof pointer>): Problem => ({
  code: 'duplicate',
  path: ['version'],
  value,
  reason: `was published on ${published} with other content, ${digest.slice(0, 19)}`,
  remedy: 'give a version of its own; what is published never changes',
});

const absent = (value: string, store: string): Found => {
  const reason = `is not in the artifact store ${store}`;
  const remedy = 'name one as project/name@version or sha256:<digest>; "pinion artifact list" shows them';
  return { isAbsent: true, problems: [{ code: 'unknown-reference', path: [], value, reason, remedy }] };
};

const removed = (value: string): Problem => ({
  code: 'unknown-reference',
  path: [],
  value,
  reason: 'was removed from the store by its retention',
  remedy: 'publish it again from its commit, which gives the same artifact, or choose another version',
});
