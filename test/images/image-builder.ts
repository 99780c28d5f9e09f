import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './dockerfile';
import { ImageLayout } from './image-layout';
import { run } from './run';

/** How layers are stored: `overlay` where the file system allows it, otherwise whole copies. */
export type Storage = 'overlay' | 'vfs';

/** Architecture of this machine, as Docker names it. */
export const ownArchitecture = process.arch === 'x64' ? 'amd64' : process.arch;

/** Builds targets of the Dockerfile by Buildah, without a container engine, in a store of its own. */
export class ImageBuilder {
  readonly storage: Storage;

  /** @param folder of the store */
  constructor(private readonly folder: string) {
    this.storage = spawnSync('buildah', this.arguments('overlay', ['info'])).status === 0 ? 'overlay' : 'vfs';
  }

  /** Builds one target; returns the name of its image. */
  build(target: string, buildArguments: Readonly<Record<string, string>> = { BASE: 'base' }): string {
    const name = `localhost/pinion/${target}:test`;
    this.buildah([
      ...['build', '--isolation', 'chroot', '--layers', '--platform', `linux/${ownArchitecture}`],
      ...Object.entries(buildArguments).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
      ...['--target', target, '--tag', name, root],
    ]);
    return name;
  }

  /** Builds the Dockerfile of a folder; returns the name of its image. */
  buildFolder(image: string, folder: string, buildArguments: Readonly<Record<string, string>>): string {
    const name = `localhost/pinion/${image}:test`;
    this.buildah([
      ...['build', '--isolation', 'chroot', '--layers', '--platform', `linux/${ownArchitecture}`],
      ...Object.entries(buildArguments).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
      ...['--tag', name, folder],
    ]);
    return name;
  }

  /** Writes images into one folder in OCI layout. */
  export(names: readonly string[]): ImageLayout {
    const layout = new ImageLayout(join(this.folder, 'layout'));
    for (const name of names) {
      const pushed = join(this.folder, 'pushed');
      this.buildah(['push', '--quiet', '--disable-compression', name, `dir:${pushed}`]);
      layout.addImage(name, pushed);
    }
    return layout;
  }

  /** Removes all images, and containers that a failed build left mounted. */
  clear(): void {
    spawnSync('buildah', this.arguments(this.storage, ['rm', '--all']));
    spawnSync('buildah', this.arguments(this.storage, ['rmi', '--all', '--force']));
  }

  private buildah(args: readonly string[]): string {
    return run('buildah', this.arguments(this.storage, args)).trim();
  }

  private arguments(storage: Storage, args: readonly string[]): string[] {
    const store = ['--root', join(this.folder, 'store'), '--runroot', join(this.folder, 'run')];
    return [...store, '--storage-driver', storage, ...args];
  }
}
