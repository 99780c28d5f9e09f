import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from './run';

/** Size of an image. */
export interface ImageSize {
  /** Bytes that a node downloads: compressed layers. */
  readonly download: number;
  /** Part of the download in layers that all images of the folder share, in bytes. */
  readonly shared: number;
  /** Bytes on the disk of a node. */
  readonly unpacked: number;
  readonly files: number;
}

interface Reference {
  readonly digest: string;
}

interface Manifest {
  readonly config: Reference;
  readonly layers: readonly Reference[];
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Images in one folder in OCI layout, with shared, uncompressed layers. */
export class ImageLayout {
  private readonly manifests = new Map<string, Manifest>();
  private readonly entries: object[] = [];

  constructor(readonly folder: string) {
    mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true });
    writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  }

  /** Imports an image that was pushed to a folder by the `dir:` transport, and removes that folder. */
  addImage(name: string, pushed: string): void {
    const text = readFileSync(join(pushed, 'manifest.json'));
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    writeFileSync(this.blob(digest), text);
    for (const file of readdirSync(pushed).filter((each) => /^[0-9a-f]{64}$/.test(each)))
      if (!existsSync(this.blob(`sha256:${file}`))) renameSync(join(pushed, file), this.blob(`sha256:${file}`));
    rmSync(pushed, { recursive: true });
    const manifest = JSON.parse(text.toString()) as Manifest & { readonly mediaType: string };
    const annotations = { 'org.opencontainers.image.ref.name': name };
    this.manifests.set(name, manifest);
    this.entries.push({ mediaType: manifest.mediaType, digest, size: text.length, annotations });
    writeFileSync(join(this.folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: this.entries }));
  }

  /** Returns the entry point of an image; empty if it has none. */
  entryPoint(name: string): readonly string[] {
    const { config } = readJson<{ readonly config?: { readonly Entrypoint?: readonly string[] | null } }>(
      this.blob(this.manifest(name).config.digest),
    );
    return config?.Entrypoint ?? [];
  }

  /** Returns the sizes of images. */
  sizes(names: readonly string[]): readonly ImageSize[] {
    const layersOf = names.map((name) => this.manifest(name).layers.map(({ digest }) => digest));
    const layers = new Map([...new Set(layersOf.flat())].map((digest) => [digest, measureLayer(this.blob(digest))]));
    return layersOf.map((own) => {
      const sum = (field: keyof Layer, of = own): number =>
        of.reduce((total, digest) => total + (layers.get(digest)?.[field] ?? 0), 0);
      const shared = own.filter((digest) => layersOf.every((others) => others.includes(digest)));
      return {
        download: sum('download'),
        shared: sum('download', shared),
        unpacked: sum('unpacked'),
        files: sum('files'),
      };
    });
  }

  private manifest(name: string): Manifest {
    const found = this.manifests.get(name);
    if (!found) throw new Error(`${this.folder} has no image ${name}`);
    return found;
  }

  private blob(digest: string): string {
    return join(this.folder, 'blobs', digest.replace(':', '/'));
  }
}

type Layer = Omit<ImageSize, 'shared'>;

function measureLayer(file: string): Layer {
  const bytes = readFileSync(file);
  const listed = run('tar', ['-tf', file]).trim().split('\n');
  return {
    download: gzipSync(bytes).length,
    unpacked: bytes.length,
    files: listed.filter((path) => !path.endsWith('/')).length,
  };
}
