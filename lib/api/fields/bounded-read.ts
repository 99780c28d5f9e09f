import * as z from 'zod';
import { duration, text } from '../schema/field';

/** Schema of an entry of `Platform.spec.boundedReads`: a resource whose reads may be older than the API server's. */
export const boundedRead = () =>
  z.strictObject({
    resource: text({
      pattern: /^[a-z][a-z0-9-]*(\.[a-z0-9][-a-z0-9]*)*$/,
      what: 'the plural of a resource with its group',
      example: 'deployments.apps',
      max: 253,
    }).describe('Plural of the resource; with its group, unless it is in the core group.'),
    maxAge: duration()
      .default('10s')
      .describe('Maximum age of an answer; the API server answers when the cache is not proved to be that recent.'),
  });
