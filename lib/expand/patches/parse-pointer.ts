import { type FieldPath } from '../../api';

/** Parses a JSON Pointer (RFC 6901) that starts with a slash; list indexes remain text. */
export const parsePointer = (pointer: string): FieldPath =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
