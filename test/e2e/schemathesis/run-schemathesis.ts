import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../control-plane/command';
import { withExampleValues } from './with-example-values';

/** Options of a schemathesis run. */
export interface SchemathesisOptions {
  /** Python that has schemathesis, from `schemathesisTool()`. */
  readonly python: string;
  /** Base URL of the service, such as `http://127.0.0.1:8080`; its OpenAPI document is at /openapi.json. */
  readonly url: string;
  /** Bearer token of a known caller without a rate limit. */
  readonly token: string;
  /** Minimum number of requests. */
  readonly examples: number;
  /** Seed; the same seed and document generate the same requests. @default 1 */
  readonly seed?: number;
  /** Operations to exclude, such as endless streams. @default changes */
  readonly without?: readonly string[];
  /** Existing values of parameters and body members by name, used in about half of the valid requests. @default - none */
  readonly known?: Readonly<Record<string, string>>;
}

/** Result of a schemathesis run. */
export interface SchemathesisResult {
  /** Number of requests. */
  readonly requests: number;
  readonly seed: number;
  /** Distinct failures, each with the command that reproduces it. */
  readonly failures: readonly string[];
  /** Number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Checks of each response. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
];

interface Report {
  readonly complete: boolean;
  readonly operations: { readonly selected: number };
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly object[];
  readonly errors: readonly object[];
}

/** Requests and responses in HAR format. */
interface Exchanges {
  readonly log: {
    readonly entries: readonly {
      readonly response: { readonly status: number; readonly content?: { readonly text?: string } };
    }[];
  };
}

/** A line of a Node stack trace, also within a JSON string. */
const stackTracePattern = /(?:\n|\\n)\s*at .*(?:\.[cm]?[jt]s:\d+|node:internal|<anonymous>)/;

const operationCount = 64;

/** Sends valid and invalid requests to all operations of the OpenAPI document; returns responses that violate it. */
export async function runSchemathesis(options: SchemathesisOptions): Promise<SchemathesisResult> {
  const { examples, seed = 1 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'pinion-schemathesis-'));
  try {
    let [requests, perOperation] = [0, Math.max(10, Math.ceil(examples / operationCount))];
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    const document = join(folder, 'openapi.json');
    const openApi = (await (await fetch(`${options.url}/openapi.json`)).json()) as object;
    writeFileSync(document, JSON.stringify(withExampleValues(openApi, options.known ?? {})));
    // An operation has a limited number of distinct requests per seed, so that another round uses another seed.
    for (let round = 0; requests < examples && failures.length === 0; round++) {
      const result = await runRound(options, folder, seed + round, perOperation);
      requests += result.requests;
      failures.push(...result.failures);
      for (const status of result.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      perOperation = Math.max(10, Math.ceil(((examples - requests) / Math.max(1, result.requests)) * perOperation));
    }
    return { requests, seed, failures, statuses };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runRound(
  { python, url, token, without = ['changes'] }: SchemathesisOptions,
  folder: string,
  seed: number,
  perOperation: number,
): Promise<{ readonly requests: number; readonly failures: readonly string[]; readonly statuses: readonly number[] }> {
  const path = join(folder, `report-${seed}.json`);
  const exchanges = join(folder, `exchanges-${seed}.har`);
  // schemathesis creates a folder in its working directory.
  const program = 'import os; os.chdir(os.environ["HOME"]); from schemathesis.cli import schemathesis; schemathesis()';
  const command = ['-c', program, 'run', join(folder, 'openapi.json')];
  const args = [
    ...['--url', url, '--header', `Authorization: Bearer ${token}`, '--checks', checks.join(',')],
    ...without.flatMap((name) => ['--exclude-operation-id', name]),
    ...['--phases', 'coverage,fuzzing,stateful', '--max-examples', String(perOperation), '--seed', String(seed)],
    ...['--continue-on-failure', '--request-timeout', '30', '--generation-database', 'none', '--no-color'],
    ...['--suppress-health-check', 'all', '--report', 'json,har', '--report-json-path', path],
    ...['--report-har-path', exchanges],
  ];
  const env = { PATH: process.env['PATH'], HOME: folder, PYTHONIOENCODING: 'utf-8' };
  const { code, stdout, stderr } = await runCommand(python, [...command, ...args], '', env);
  const report = readJson<Report>(path);
  if (!report?.complete) throw new Error(`schemathesis did not finish (${code}):\n${(stdout + stderr).slice(-4_000)}`);
  const isClean = code === 0 && report.failures.length === 0 && report.errors.length === 0;
  const responses = (readJson<Exchanges>(exchanges)?.log.entries ?? []).map(({ response }) => response);
  rmSync(exchanges, { force: true });
  const traces = responses.map(({ content }) => content?.text ?? '').filter((text) => stackTracePattern.test(text));
  return {
    requests: report.test_cases.generated,
    failures: [
      ...(isClean ? [] : failureTexts(stdout, token)),
      ...[...new Set(traces)].map((text) => `a response contains a stack trace: ${text.slice(0, 500)}`),
    ],
    statuses: responses.map(({ status }) => status),
  };
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** Returns the failures in the output, one string each. */
function failureTexts(output: string, token: string): readonly string[] {
  const [, report = output] = /\n=+ (?:FAILURES|ERRORS) =+\n([\s\S]*)$/.exec(output) ?? [];
  return report
    .replaceAll(token, '[token]')
    .split(/\n(?=_{3,} |\d+\. Test Case ID)/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
