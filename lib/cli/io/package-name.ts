/** Name of the library on npm. */
export const packageName = '@pinion-platform/pinion';

/** Scope of the library, which `.npmrc` maps to a registry. */
export const packageScope = '@pinion-platform';
