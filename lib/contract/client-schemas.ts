import * as z from 'zod';
import { name } from './names';

/** Daily average of a week, and its growth since the week before. */
const trend = {
  requests: z.number().describe('Requests.'),
  errors: z.number().describe('Responses with a status of 400 or above.'),
  bytes: z.number().describe('Bytes of the responses whose size is known.'),
  seatSeconds: z.number().describe('Cost: seats of flow control times seconds.'),
  requestGrowth: z
    .number()
    .optional()
    .describe('Growth of the requests since the week before; 0.5 is half as many again. Absent if unknown.'),
  costGrowth: z.number().optional().describe('Growth of the cost since the week before. Absent if unknown.'),
};

const client = {
  account: z.string().describe('User or service account.'),
  program: z.string().describe('Product of the user agent.'),
};

/** Clients of the API server that a project has on one cluster. */
export const projectClientsSchema = z.object({
  project: z.string().max(63).describe('Name of the project; empty for accounts without one.'),
  target: name().describe('Cluster.'),
  team: z.string().optional().describe('Team that owns the project.'),
  onCall: z.string().optional().describe('On-call contact.'),
  total: z.object(trend).describe('Daily average of all clients in the last week.'),
  clients: z
    .array(z.object({ ...client, mostly: z.string().describe('Verb and resource that cost the most.'), ...trend }))
    .describe('Daily average of each client in the last week, by falling cost.'),
  violations: z
    .array(
      z.object({
        practice: z.string().describe('Practice (docs/clients.md).'),
        ...client,
        message: z.string().describe('What the client did, what it cost, who is on call, and what to do.'),
      }),
    )
    .describe('Practices that a client violated in the last two days.'),
  budget: z
    .array(
      z.object({
        field: z.string().describe('Field of the API budget.'),
        limit: z.string().describe('Value in force.'),
        used: z.string().describe('Highest use in the last seven days.'),
        level: z.enum(['ok', 'filling', 'nearly-full', 'full']).describe('Level of use.'),
        fullOn: z
          .string()
          .optional()
          .describe('Predicted day on which it is reached, such as 2026-12-24; absent without a forecast.'),
      }),
    )
    .describe('Measured fields of the API budget.'),
});

/** Clients of the API server that a project has on one cluster. */
export type ProjectClientsView = z.output<typeof projectClientsSchema>;
