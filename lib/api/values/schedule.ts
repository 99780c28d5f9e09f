import { formatCron, parseCron } from './cron';
import { isTimeZone } from './time-zone';
import { leaf } from '../schema/field-facts';
import type * as z from 'zod';

/** Returns the schema of a cron expression, exactly as the API server accepts it; normalized to its canonical form. */
export const cronSchedule = (): z.ZodType<string, string> =>
  leaf<string>(
    'CronSchedule',
    () => ({ type: 'string', minLength: 1, maxLength: 256 }),
    (value, report) => {
      if (typeof value !== 'string') {
        report({
          code: value === undefined ? 'required' : 'wrong-type',
          path: [],
          value,
          reason: value === undefined ? 'is missing' : 'is not a string',
          remedy: 'write a cron expression, such as "0 3 * * *"',
        });
        return;
      }
      const parsed = parseCron(value);
      if ('error' in parsed)
        report({
          code: 'bad-format',
          path: [],
          value,
          reason: parsed.error,
          remedy: 'write five fields, such as "0 3 * * *", or a name, such as "@daily"',
        });
    },
  ).overwrite((value) => {
    const parsed = parseCron(value);
    return 'error' in parsed ? value : formatCron(parsed);
  });

/** Returns the schema of a time zone name of the IANA database. */
export const timeZone = (): z.ZodType<string, string> =>
  leaf<string>(
    'TimeZone',
    () => ({ type: 'string', minLength: 1, maxLength: 64 }),
    (value, report) => {
      if (value === undefined || (typeof value === 'string' && isTimeZone(value))) return;
      report({
        code: typeof value === 'string' ? 'bad-format' : 'wrong-type',
        path: [],
        value,
        reason: 'is not an IANA time zone',
        remedy: 'use a name of the IANA database, such as "America/Los_Angeles"',
      });
    },
  );
