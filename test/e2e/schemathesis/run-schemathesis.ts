import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../control-plane/command';
import { withKnown } from './with-known';

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
  /** Values of parameters and of members of bodies, by name, that lead to something: about half of the right requests have them. @default - none */
  readonly known?: Readonly<Record<string, string>>;
}

/** What came of it. */
export interface SchemathesisResult {
  /** Requests that were made. */
  readonly requests: number;
  readonly seed: number;
  /** Each failure once, with the command that makes it again; empty where there is none. */
  readonly failures: readonly string[];
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
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

/** All that was asked and answered, as HAR has it. */
interface Exchanges {
  readonly log: {
    readonly entries: readonly {
      readonly response: { readonly status: number; readonly content?: { readonly text?: string } };
    }[];
  };
}

/** A line of a stack trace as Node writes it, also within a text of JSON. */
const traceForm = /(?:\n|\\n)\s*at .*(?:\.[cm]?[jt]s:\d+|node:internal|<anonymous>)/;

const most = 64;

/** Makes requests of all operations, right and wrong ones, from the service's own document, and tells which answers do not keep to it. */
export async function runSchemathesis(options: SchemathesisOptions): Promise<SchemathesisResult> {
  const { examples, seed = 1 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'pinion-schemathesis-'));
  try {
    let [requests, perOperation] = [0, Math.max(10, Math.ceil(examples / most))];
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    const document = join(folder, 'openapi.json');
    const asked = (await (await fetch(`${options.url}/openapi.json`)).json()) as object;
    writeFileSync(document, JSON.stringify(withKnown(asked, options.known ?? {})));
    // What an operation takes bounds how many differing requests there are of it: those of a second round are others.
    for (let round = 0; requests < examples && failures.length === 0; round++) {
      const done = await oneRound(options, folder, seed + round, perOperation);
      requests += done.requests;
      failures.push(...done.failures);
      for (const status of done.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      perOperation = Math.max(10, Math.ceil(((examples - requests) / Math.max(1, done.requests)) * perOperation));
    }
    return { requests, seed, failures, statuses };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneRound(
  { python, url, token, without = ['changes'] }: SchemathesisOptions,
  folder: string,
  seed: number,
  perOperation: number,
): Promise<{ readonly requests: number; readonly failures: readonly string[]; readonly statuses: readonly number[] }> {
  const path = join(folder, `report-${seed}.json`);
  const exchanges = join(folder, `exchanges-${seed}.har`);
  // It keeps a folder of its own where it runs.
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
  if (!report?.complete) throw new Error(`schemathesis did not end (${code}):\n${(stdout + stderr).slice(-4_000)}`);
  const isClean = code === 0 && report.failures.length === 0 && report.errors.length === 0;
  const answers = (readJson<Exchanges>(exchanges)?.log.entries ?? []).map(({ response }) => response);
  rmSync(exchanges, { force: true });
  const traces = answers.map(({ content }) => content?.text ?? '').filter((text) => traceForm.test(text));
  return {
    requests: report.test_cases.generated,
    failures: [
      ...(isClean ? [] : failureTexts(stdout, token)),
      ...[...new Set(traces)].map((text) => `an answer shows a stack trace: ${text.slice(0, 500)}`),
    ],
    statuses: answers.map(({ status }) => status),
  };
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
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
