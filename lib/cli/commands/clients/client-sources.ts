import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isError, textAt } from '../../../api';
import {
  type ReadClusterClients,
  directNamespacesOf,
  readClusterClients,
  readServerFigures,
  type ServerFigures,
} from '../../../operations';
import { ExternalRequestError, fetchText } from '../../../quota';
import { withConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { parseHttpUrl } from '../../command/option-value-type';
import { readInputs } from '../../input/input-documents';
import { findPlatformFile } from '../../input/target-cluster';
import { UnavailableError, reasonOf, type Io } from '../../io/io';
import { problemLines } from '../../output/tally';
import { type ClientsOptions } from './clients-options';

/** What the requests of an audit log are attributed with. */
export interface ClientSources {
  /** Projects, as manifests or as objects of the cluster. */
  readonly projects: readonly unknown[];
  /** Platform and Projects. */
  readonly manifests: readonly unknown[];
  /** Namespaces whose service accounts may use the API server directly. */
  readonly directNamespaces: readonly string[];
  readonly figures: ServerFigures;
  /** Metrics, of gateways and of others. */
  readonly gatewayTexts: readonly string[];
}

/** Limits of a response with metrics. */
const metricLimits = { timeout: 30_000, maxBytes: 128 * 1024 * 1024 };

/** Reads Projects and metrics; returns an exit code if the manifests have errors. */
export async function readClientSources(options: ClientsOptions, io: Io): Promise<ClientSources | ExitCode> {
  const gatewayTexts: string[] = [];
  for (const source of options.metrics ?? []) gatewayTexts.push(await readMetrics(source, options['token-file'], io));
  const manifests = await readManifests(options.platform, io);
  if (typeof manifests === 'number') return manifests;
  const live = options.live ? await readCluster(options, io) : { objects: [], metrics: '' };
  const all = [...manifests, ...live.objects];
  return {
    projects: all.filter((manifest) => textAt(manifest, 'kind') === 'Project'),
    manifests: all,
    directNamespaces: options.direct ?? directNamespacesOf(all),
    figures: readServerFigures([...gatewayTexts, live.metrics].join('\n')),
    gatewayTexts,
  };
}

/** Reads metrics from a file or a URL. Throws an `UnavailableError` if they cannot be read. */
export async function readMetrics(source: string, tokenFile: string | undefined, io: Io): Promise<string> {
  const url = parseHttpUrl(source);
  if (!url) return readText(source, io);
  const token = tokenFile === undefined ? undefined : readText(tokenFile, io).trim();
  try {
    return await fetchText({
      method: 'GET',
      url,
      server: url.host,
      ...(token !== undefined && { token }),
      ...metricLimits,
    });
  } catch (error) {
    if (error instanceof ExternalRequestError) throw new UnavailableError(error.message);
    throw error;
  }
}

function readText(file: string, io: Io): string {
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  }
}

/** Reads the Platform and the Projects of the file that describes the cluster. */
async function readManifests(file: string | undefined, io: Io): Promise<readonly unknown[] | ExitCode> {
  const path = file ?? findPlatformFile(io.cwd);
  if (path === undefined) return [];
  const { documents, problems, isUnavailable } = await readInputs([path], io, true);
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  if (isUnavailable) return exitCodes.unavailable;
  if (problems.some(isError)) return exitCodes.failure;
  return documents.flatMap((document) => (document.is === 'platform' ? document.manifest : []));
}

/** Reads the Platform, Projects and the API server's metrics; without permission for the metrics, lists count as one seat. */
const readCluster = (options: ClientsOptions, io: Io): Promise<ReadClusterClients> =>
  withConnection(options, io, ({ client, kube }) =>
    readClusterClients({ client, kube, onMissing: (message) => io.writeError(`pinion: ${message}\n`) }),
  );
