import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';

/** Contents of an image layer, by absolute path: a file of this machine, a string, or a symbolic link. */
export type LayerContent = Readonly<
  Record<string, { readonly file: string } | { readonly text: string } | { readonly link: string }>
>;

/** One image of an archive. Layers that are the same object are stored once. */
export interface Image {
  /** Name with its tag, such as `local.test/pause:1`. */
  readonly name: string;
  readonly layers: readonly LayerContent[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
}

const block = 512;

/** Returns one tar entry in the ustar format, whose name limit suffices for the tests. */
function tarEntry(path: string, type: '0' | '2' | '5', mode: number, content: Buffer, link = ''): Buffer[] {
  const header = Buffer.alloc(block);
  const writeField = (text: string, at: number): void => void header.write(text, at, 'latin1');
  const name = path.replace(/^\//, '');
  if (name.length > 100 || link.length > 100) throw new Error(`${path} is too long for a layer`);
  writeField(name, 0);
  writeField(mode.toString(8).padStart(7, '0'), 100);
  writeField('0000000', 108);
  writeField('0000000', 116);
  writeField(content.length.toString(8).padStart(11, '0'), 124);
  writeField('00000000000', 136);
  writeField('        ', 148);
  writeField(type, 156);
  writeField(link, 157);
  writeField('ustar\u000000', 257);
  const checksum = header.reduce((total, byte) => total + byte, 0);
  writeField(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, content, Buffer.alloc((block - (content.length % block)) % block)];
}

const empty = Buffer.alloc(0);
const endOfArchive = Buffer.alloc(2 * block);

function layerTar(content: LayerContent): Buffer {
  const folders = new Set(['/tmp', '/proc', '/sys', '/dev', '/etc']);
  for (const path of Object.keys(content)) {
    const steps = path.split('/').slice(1, -1);
    steps.forEach((_, index) => folders.add(`/${steps.slice(0, index + 1).join('/')}`));
  }
  const chunks = [...folders]
    .sort()
    .flatMap((path) => tarEntry(`${path}/`, '5', path === '/tmp' ? 0o1777 : 0o755, empty));
  for (const [path, entry] of Object.entries(content)) {
    if ('link' in entry) chunks.push(...tarEntry(path, '2', 0o777, empty, entry.link));
    else if ('text' in entry) chunks.push(...tarEntry(path, '0', 0o755, Buffer.from(entry.text)));
    else
      chunks.push(...tarEntry(path, '0', lstatSync(entry.file).mode & 0o111 ? 0o755 : 0o644, readFileSync(entry.file)));
  }
  return Buffer.concat([...chunks, endOfArchive]);
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Writes images as one docker-archive, which `ctr images import` reads, without a container engine. */
export function writeImageArchive(path: string, images: readonly Image[]): void {
  const layers = new Map<LayerContent, { readonly id: string; readonly tar: Buffer }>();
  const chunks: Buffer[] = [];
  for (const content of new Set(images.flatMap((image) => image.layers))) {
    const tar = layerTar(content);
    const id = digest(tar);
    layers.set(content, { id, tar });
    chunks.push(...tarEntry(`${id}/layer.tar`, '0', 0o644, tar));
  }
  const manifest = images.map((image) => {
    const ids = image.layers.map((layer) => layers.get(layer)?.id ?? '');
    const config = Buffer.from(JSON.stringify(imageConfig(image, ids)));
    const file = `${digest(config)}.json`;
    chunks.push(...tarEntry(file, '0', 0o644, config));
    return { Config: file, RepoTags: [image.name], Layers: ids.map((id) => `${id}/layer.tar`) };
  });
  chunks.push(...tarEntry('manifest.json', '0', 0o644, Buffer.from(JSON.stringify(manifest))));
  writeFileSync(path, Buffer.concat([...chunks, endOfArchive]));
}

const imageConfig = ({ entrypoint, command, name }: Image, layerIds: readonly string[]): object => ({
  architecture: process.arch === 'x64' ? 'amd64' : process.arch,
  os: 'linux',
  config: {
    Entrypoint: entrypoint ?? null,
    Cmd: command ?? null,
    Env: ['PATH=/bin'],
    WorkingDir: '/',
    // Two otherwise equal images must not get the same id.
    Labels: { name },
  },
  rootfs: { type: 'layers', diff_ids: layerIds.map((id) => `sha256:${id}`) },
  history: layerIds.map(() => ({ created_by: 'tests' })),
});
