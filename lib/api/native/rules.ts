import { type TypeRules } from './overlay';
import { type structureTexts } from './structures.generated';

/** Semantic rules per native type. */
export const nativeRules: { readonly [Name in keyof typeof structureTexts]?: TypeRules } = {};
