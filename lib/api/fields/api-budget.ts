import * as z from 'zod';
import { integer, text } from '../schema/field';

const bytes = () =>
  text({ pattern: /^[1-9][0-9]{0,5}(Ki|Mi|Gi)$/, what: 'an amount of bytes in Ki, Mi or Gi', example: '32Mi', max: 8 });

/** Fields of a budget of reads through the gateway to the API server. */
export const apiBudgetFields = () => ({
  requestsPerSecond: integer(1, 100_000)
    .optional()
    .describe("Average rate of reads; twice as many may come at once. Defaults to the Platform's."),
  concurrentRequests: integer(1, 10_000)
    .optional()
    .describe("Reads in progress; a watch counts only while it starts. Defaults to the Platform's."),
  bytesPerSecond: bytes().optional().describe("Average size of the responses. Defaults to the Platform's."),
});

/** Schema of a budget in `Platform.spec`, whose defaults are those of the gateway. */
export const defaultApiBudget = (requestsPerSecond: number, concurrentRequests: number, bytesPerSecond: string) =>
  z
    .strictObject({
      requestsPerSecond: integer(1, 100_000)
        .default(requestsPerSecond)
        .describe('Average rate of reads; twice as many may come at once.'),
      concurrentRequests: integer(1, 10_000)
        .default(concurrentRequests)
        .describe('Reads in progress; a watch counts only while it starts.'),
      bytesPerSecond: bytes().default(bytesPerSecond).describe('Average size of the responses.'),
    })
    .prefault({});
