import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../control-plane/command';

/** What is asked of a service. */
export interface SchemathesisOptions {
  /** Python that has schemathesis, from `schemathesisTool()`. */
  readonly python: string;
  /** Where the service answers, `http://127.0.0.1:8080`; its document is at /openapi.json. */
  readonly url: string;
  /** Bearer token of a caller whom the service knows, and whose rate is not bounded. */
  readonly token: string;
  /** Requests that are made at least. */
  readonly examples: number;
  /** Seed of all that is generated; the same one makes the same requests of the same document. @default 1 */
  readonly seed?: number;
  /** Operations that are left out: streams that do not end by themselves. @default changes */
  readonly without?: readonly string[];
}

/** What came of it. */
export interface SchemathesisResult {
  /** Requests that were made. */
  readonly requests: number;
  readonly seed: number;
  /** Each failure once, with the command that makes it again; empty where there is none. */
  readonly failures: readonly string[];
}

/** What an answer is held to. */
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

const most = 64;

/** Makes requests of all operations, right and wrong ones, from the service's own document, and tells which answers do not keep to it. */
export async function runSchemathesis(options: SchemathesisOptions): Promise<SchemathesisResult> {
  const { examples, seed = 1 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'pinion-schemathesis-'));
  try {
    let [requests, perOperation] = [0, Math.max(10, Math.ceil(examples / most))];
    const failures: string[] = [];
    // What an operation takes bounds how many differing requests there are of it: those of a second round are others.
    for (let round = 0; requests < examples && failures.length === 0; round++) {
      const done = await oneRound(options, folder, seed + round, perOperation);
      requests += done.requests;
      failures.push(...done.failures);
      perOperation = Math.max(10, Math.ceil(((examples - requests) / Math.max(1, done.requests)) * perOperation));
    }
    return { requests, seed, failures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneRound(
  { python, url, token, without = ['changes'] }: SchemathesisOptions,
  folder: string,
  seed: number,
  perOperation: number,
): Promise<{ readonly requests: number; readonly failures: readonly string[] }> {
  const path = join(folder, `report-${seed}.json`);
  // It keeps a folder of its own where it runs.
  const program = 'import os; os.chdir(os.environ["HOME"]); from schemathesis.cli import schemathesis; schemathesis()';
  const command = ['-c', program, 'run', `${url}/openapi.json`];
  const args = [
    ...['--url', url, '--header', `Authorization: Bearer ${token}`, '--checks', checks.join(',')],
    ...without.flatMap((name) => ['--exclude-operation-id', name]),
    ...['--phases', 'coverage,fuzzing,stateful', '--max-examples', String(perOperation), '--seed', String(seed)],
    ...['--continue-on-failure', '--request-timeout', '30', '--generation-database', 'none', '--no-color'],
    ...['--suppress-health-check', 'all', '--report', 'json', '--report-json-path', path],
  ];
  const env = { PATH: process.env['PATH'], HOME: folder, PYTHONIOENCODING: 'utf-8' };
  const { code, stdout, stderr } = await runCommand(python, [...command, ...args], '', env);
  const report = readReport(path);
  if (!report?.complete) throw new Error(`schemathesis did not end (${code}):\n${(stdout + stderr).slice(-4_000)}`);
  const isClean = code === 0 && report.failures.length === 0 && report.errors.length === 0;
  return { requests: report.test_cases.generated, failures: isClean ? [] : failureTexts(stdout, token) };
}

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}

/** The part of what was said that tells failures, cut where each begins. */
function failureTexts(said: string, token: string): readonly string[] {
  const [, told = said] = /\n=+ (?:FAILURES|ERRORS) =+\n([\s\S]*)$/.exec(said) ?? [];
  return told
    .replaceAll(token, '[token]')
    .split(/\n(?=_{3,} |\d+\. Test Case ID)/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
