import { type Problem } from '../../api';

/** Returns a warning about a value that is used anyway. */
export const warning = (path: Problem['path'], value: unknown, reason: string, remedy: string): Problem => ({
  code: 'out-of-range',
  path,
  value,
  reason,
  remedy,
  severity: 'warning',
});
