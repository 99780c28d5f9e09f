import { type RolloutPolicy } from '../../api';

/** Metric gates of a policy. */
export type MetricGates = NonNullable<RolloutPolicy['metricGates']>;

/** What metrics say of a rollout: without an answer, nothing is known. */
export interface MetricVerdict {
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  /** Names of the gates, and why. @default - they pass */
  readonly message?: string;
}

/** Milliseconds for which a verdict counts: a rollout is reconciled more often than metrics change. */
const freshness = 15_000;
/** Milliseconds until a query counts as not answered. */
const timeout = 5_000;
/** Maximum size of an answer in bytes; an expression that selects few series has a smaller one. */
const maxBytes = 256 * 1024;

/** Asks Prometheus whether the expressions of gates have results, as an alert rule does: a result stops the rollout. */
export class MetricGate {
  #last: { readonly key: string; readonly at: number; readonly verdict: MetricVerdict } | undefined;

  constructor(private readonly now: () => number) {}

  /** Returns the verdict, at most 15 s old; never throws. */
  async judge(gates: MetricGates): Promise<MetricVerdict> {
    const key = JSON.stringify(gates);
    if (this.#last?.key === key && this.now() - this.#last.at < freshness) return this.#last.verdict;
    const answers = await Promise.all(gates.queries.map((query) => answerOf(gates.prometheus, query)));
    const verdict = verdictOf(answers);
    this.#last = { key, at: this.now(), verdict };
    return verdict;
  }
}

interface Answer {
  readonly name: string;
  /** @default - no answer */
  readonly results?: number;
  readonly error?: string;
}

function verdictOf(answers: readonly Answer[]): MetricVerdict {
  const failing = answers.filter(({ results = 0 }) => results > 0);
  if (failing.length > 0) {
    const texts = failing.map(({ name, results }) => `${name} has ${results} ${results === 1 ? 'result' : 'results'}`);
    return { verdict: 'fail', message: `metric gates: ${texts.join(', ')}` };
  }
  const unknown = answers.filter(({ results }) => results === undefined);
  if (unknown.length === 0) return { verdict: 'pass' };
  const texts = unknown.map(({ name, error = '' }) => `${name}: ${error}`);
  return { verdict: 'inconclusive', message: `metric gates without an answer: ${texts.join('; ')}` };
}

async function answerOf(server: string, { name, expression }: MetricGates['queries'][number]): Promise<Answer> {
  try {
    const url = new URL(server);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v1/query`;
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ query: expression, timeout: `${timeout / 1000}s` }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    const text = await textOf(response);
    if (!response.ok) return { name, error: `Prometheus responded with status ${response.status}` };
    const results = resultsIn(text);
    return results === undefined ? { name, error: 'Prometheus did not respond with a vector' } : { name, results };
  } catch (error) {
    return { name, error: failureText(error) };
  }
}

/** An answer that is larger than the maximum. */
class LargeAnswer extends Error {}

/** Returns what is wrong, without text of the error: a status is visible to all, and an error may repeat an answer or a URL. */
function failureText(error: unknown): string {
  if (error instanceof LargeAnswer) return `the answer is larger than ${maxBytes} bytes`;
  if (error instanceof SyntaxError) return 'Prometheus did not respond with JSON';
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } };
  if (name === 'TimeoutError') return `Prometheus did not respond within ${timeout / 1000} s`;
  const code = typeof cause?.code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(cause.code) ? ` (${cause.code})` : '';
  return `Prometheus is not reachable${code}`;
}

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new LargeAnswer();
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** Returns the number of series in an answer; a scalar is one. */
function resultsIn(text: string): number | undefined {
  const { data } = JSON.parse(text) as { readonly data?: { readonly resultType?: unknown; readonly result?: unknown } };
  if (!Array.isArray(data?.result)) return undefined;
  return data.resultType === 'vector' ? data.result.length : undefined;
}
