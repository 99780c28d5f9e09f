import { type Problem } from '../../api';

/** What a person should know of a value that is taken all the same. */
export const warning = (path: Problem['path'], value: unknown, reason: string, remedy: string): Problem => ({
  code: 'out-of-range',
  path,
  value,
  reason,
  remedy,
  severity: 'warning',
});
