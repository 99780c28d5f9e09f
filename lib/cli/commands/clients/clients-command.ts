import {
  ClientAccounting,
  type ClientAccountingOptions,
  type ClientReport,
  practices,
  readGatewayFigures,
} from '../../../operations';
import { defineCommand } from '../../command/command';
import { exitCodes } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { readAuditLogs } from '../../input/audit-logs';
import { type ClientsOptions, clientsOptions } from './clients-options';
import { clientsText } from './clients-text';
import { monitorClients } from './monitor-clients';
import { requestFilter } from './request-filter';
import { showClientHistory } from './show-client-history';
import { type ClientSources, readClientSources } from './client-sources';

/** `pinion clients`. */
export const clientsCommand = defineCommand({
  description: `Show which Projects, accounts and programs send requests to the API server, what that costs, and which practices they violate, with the on-call contact of each.

The cost of a request is its seats, as API Priority and Fairness estimates them, times the seconds that it took. The seats of a list depend on the size of the resource, which comes from the metrics of the API server, or from list responses in the log; without either, a list counts as one seat. Memory use is bounded.

Practices above their thresholds are reported: ${Object.keys(practices).join(', ')}. docs/clients.md lists the thresholds with their reasons.`,
  arguments: {
    logs: {
      valueName: 'LOG',
      repeatable: true,
      description:
        'audit logs, plain or gzip-compressed, and folders, of which all *.log and *.log.gz files are read; - for standard input',
    },
  },
  options: clientsOptions,
  examples: [
    { command: 'pinion clients /var/log/kubernetes/apiserver --live' },
    { command: 'pinion clients audit.log --project shop --output json' },
    { command: 'pinion clients --listen 127.0.0.1:9442 --live' },
    { command: 'pinion clients --listen 127.0.0.1:9442 --live --history pinion-quota' },
    { command: 'pinion clients --live --history pinion-quota' },
    { command: 'pinion clients --metrics http://127.0.0.1:9443/metrics' },
  ],
  exitCodes: { failure: 'the inputs have no requests, or with --check, a client violates a practice' },
  async run({ args: { logs }, options }, io) {
    const { listen, metrics, history } = options;
    const isHistory = listen === undefined && (history !== undefined || options['history-file'] !== undefined);
    if (isHistory && (logs.length > 0 || metrics !== undefined))
      throw new UsageError('a client history cannot be combined with LOG or --metrics');
    if (listen !== undefined && logs.length > 0) throw new UsageError('LOG cannot be combined with --listen');
    if (logs.length === 0 && metrics === undefined && listen === undefined && !isHistory)
      throw new UsageError('clients requires LOG, --metrics, --history, or --listen HOST:PORT');
    const sources = await readClientSources(options, io);
    if (typeof sources === 'number') return sources;
    if (isHistory) return showClientHistory(sources.manifests, options, io);
    const { figures, gatewayTexts } = sources;
    const accountingOptions = accountingOptionsOf(sources, options);
    if (listen !== undefined) return monitorClients(listen, accountingOptions, options, io);
    const accounting = new ClientAccounting(accountingOptions);
    await readAuditLogs(logs, accounting, io);
    for (const text of gatewayTexts) accounting.addGateway(readGatewayFigures(text), logs.length > 0);
    const report = accounting.report();
    await io.write(
      options.output === 'json'
        ? `${JSON.stringify({ seats: figures.seats, ...report }, null, 2)}\n`
        : clientsText(report, figures.seats, options.top),
    );
    if (report.requests > 0) return options.check && report.findings.length > 0 ? exitCodes.failure : exitCodes.success;
    io.writeError(`pinion: ${emptyText(report)}\n`);
    return exitCodes.failure;
  },
});

const accountingOptionsOf = (
  { projects, directNamespaces, figures }: ClientSources,
  options: ClientsOptions,
): ClientAccountingOptions => ({
  projects,
  directNamespaces,
  ...(figures.stats.size > 0 && { stats: figures.stats }),
  ...(options.gateway !== undefined && { gateway: options.gateway }),
  filter: requestFilter(options),
});

const emptyText = ({ unreadable }: ClientReport): string =>
  `the inputs contain no requests${unreadable === 0 ? '' : ` and ${unreadable} other lines`}; pass the --audit-log-path files of an API server that has an --audit-policy-file, or the metrics of a gateway, and check the filters`;
