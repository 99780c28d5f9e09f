import { type Board, panel } from './board';

const client = 'project, account, user_agent';

/** Dashboard of the clients of the API server. */
export const clientBoard: Board = {
  name: 'pinion-clients',
  title: 'Pinion: clients of the API server',
  description: 'Who sends requests to the API server, what they cost, and which practices are violated.',
  rows: [
    {
      title: 'Cost',
      panels: [
        panel(
          'Seats by project',
          'Seats of flow control that are occupied on average.',
          'topk(10, sum by (project) (rate(pinion_client_seat_seconds_total[5m])))',
          '{{project}}',
        ),
        panel(
          'Seats by client',
          'Seats of flow control that are occupied on average.',
          `topk(10, sum by (${client}) (rate(pinion_client_seat_seconds_total[5m])))`,
          '{{project}} {{account}} {{user_agent}}',
        ),
      ],
    },
    {
      title: 'Requests',
      panels: [
        panel(
          'Requests by project',
          'Started watches included.',
          'topk(10, sum by (project) (rate(pinion_client_requests_total[5m])))',
          '{{project}}',
          { unit: 'reqps' },
        ),
        panel(
          'Requests by client, verb and resource',
          'The ten most frequent.',
          `topk(10, sum by (${client}, verb, resource) (rate(pinion_client_requests_total[5m])))`,
          '{{account}} {{user_agent}} {{verb}} {{resource}}',
          { unit: 'reqps' },
        ),
        panel(
          'Rejected or failed requests by client',
          'Responses with a status of 400 or above.',
          `topk(10, sum by (${client}) (rate(pinion_client_errors_total[5m])))`,
          '{{project}} {{account}} {{user_agent}}',
          { unit: 'reqps' },
        ),
        panel(
          'Duration of requests by client',
          'On average, without watches.',
          `topk(10, sum by (${client}) (rate(pinion_client_request_seconds_total[5m])) / sum by (${client}) (rate(pinion_client_requests_total{verb!="watch"}[5m])))`,
          '{{project}} {{account}} {{user_agent}}',
          { unit: 's' },
        ),
      ],
    },
    {
      title: 'Practices',
      panels: [
        panel(
          'Violated practices',
          'Requests of the last one to two hours; `pinion clients` prints the remedies.',
          `max by (${client}, practice, resource, on_call) (pinion_client_findings)`,
          '{{practice}}: {{project}} {{account}} {{user_agent}} {{resource}}, on call: {{on_call}}',
        ),
        panel(
          'Unreadable audit events',
          'Events that were not counted.',
          'sum by (instance) (rate(pinion_client_unreadable_total[5m]))',
          '{{instance}}',
          { threshold: 1 },
        ),
      ],
    },
  ],
};
