import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Image, type LayerContent } from './image-archive';

/** Debian's static busybox. */
const busybox = '/bin/busybox';
const bundles = join(__dirname, '../../build/bin');

/** Names of the images that every real node has. */
export const imageNames = {
  /** Holds the namespaces of a pod. */
  pause: 'local.test/pause:1',
  /** A shell and its tools; its wget does not work. */
  busybox: 'local.test/busybox:1',
  /** Node, and a shell. */
  node: 'local.test/node:1',
  /** The traffic registrar, with the command of the default profile's part. */
  registrar: 'local.test/registrar:1',
  /** The controller; available once its bundle is built. */
  controller: 'local.test/controller:1',
  /** The canary, which also deploys itself; available once its bundle is built. */
  canary: 'local.test/canary:1',
} as const;

const users: LayerContent = {
  '/etc/passwd': { text: 'root:x:0:0:root:/root:/bin/sh\nnonroot:x:65532:65532:nonroot:/:/bin/sh\n' },
  '/etc/group': { text: 'root:x:0:\nnonroot:x:65532:\n' },
};

/** Returns the images of a real node: those in `imageNames`, and aliases of them. */
export function nodeImages(aliases: Readonly<Record<string, keyof typeof imageNames>> = {}): readonly Image[] {
  const shell: LayerContent = { ...users, ...busyboxTools() };
  const node = nodeLayer();
  const sleepForever = ["trap 'exit 0' TERM INT; while :; do sleep 3600 & wait $!; done"];
  const images: Image[] = [
    { name: imageNames.pause, layers: [shell], entrypoint: ['/bin/sh', '-c', ...sleepForever] },
    { name: imageNames.busybox, layers: [shell], command: ['/bin/sh'] },
    { name: imageNames.node, layers: [shell, node], command: ['/bin/node'] },
    ...bundleImage(imageNames.registrar, 'registrar.js', [shell, node]),
    ...bundleImage(imageNames.controller, 'controller.js', [shell, node]),
    ...bundleImage(imageNames.canary, 'canary.js', [shell, node]),
  ];
  const aliasImages = Object.entries(aliases).map(([name, original]) => {
    const found = images.find((image) => image.name === imageNames[original]);
    if (!found) throw new Error(`there is no image ${original}; is its bundle built?`);
    return { ...found, name };
  });
  return [...images, ...aliasImages];
}

/** Returns an image with the program of a bundle at `/pinion/<bundle>`. */
function bundleImage(name: string, bundle: string, baseLayers: readonly LayerContent[]): Image[] {
  const file = join(bundles, bundle);
  if (!existsSync(file)) return [];
  const path = `/pinion/${bundle}`;
  return [{ name, layers: [...baseLayers, { [path]: { file } }], entrypoint: ['/bin/node', path] }];
}

function busyboxTools(): LayerContent {
  const tools = spawnSync(busybox, ['--list'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((tool) => tool !== '');
  const links = tools.filter((tool) => tool !== 'busybox').map((tool) => [`/bin/${tool}`, { link: 'busybox' }]);
  return { '/bin/busybox': { file: busybox }, ...(Object.fromEntries(links) as LayerContent) };
}

/** Returns a layer with the Node binary that runs the tests, and its shared libraries. */
function nodeLayer(): LayerContent {
  const listed = spawnSync('ldd', [process.execPath], { encoding: 'utf8' }).stdout;
  const libraries = [...listed.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
  const libraryFiles = libraries.map((file) => [/ld-linux/.test(file) ? file : `/lib/${basename(file)}`, { file }]);
  return { '/bin/node': { file: process.execPath }, ...(Object.fromEntries(libraryFiles) as LayerContent) };
}
