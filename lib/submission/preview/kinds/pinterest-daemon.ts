import { type KindScale } from './kind-scale';

/** Returns undefined: the number of nodes decides. */
export const pinterestDaemonScale: KindScale<'PinterestDaemon'> = () => undefined;
