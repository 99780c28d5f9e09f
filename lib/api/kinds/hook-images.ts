import { type DeploymentHook } from '../fields/before-deployment';
import { type LocatedImage } from './kind-definition';

/** Lists the images that hooks before a deployment set. */
export const hookImages = (hooks: readonly DeploymentHook[] = []): readonly LocatedImage[] =>
  hooks.flatMap(({ name, image }, index) =>
    image === undefined ? [] : [{ container: name, image, path: ['spec', 'beforeDeployment', index, 'image'] }],
  );
