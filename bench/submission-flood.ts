import { decodeJwt, decodeProtectedHeader } from 'jose';
import { submissionName, submissionProject } from '../lib/programs';
import { CustomResources } from '../test/local/custom-resources';
import { SubmissionTestbed } from '../test/submission/submission-testbed';
import { BenchCluster } from './controller/bench-cluster';
import { progress, printLine } from './controller/progress';
import { projectOf } from './controller/services';
import { sleep } from './controller/sleep';
import { sendFlood } from './flood-sender';
import { median, ratio } from './ratio';

const members = 20;
/** Requests of all members per second. */
const memberRate = 50;
const floodRate = 600;
const rounds = 3;
const secondsPerRound = 15;
/** Share of the requests that use a token that the service has never seen. */
const newTokenEvery = 10;

interface Figures {
  readonly total: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Measures what a flood of unauthenticated clients costs members whose requests come from the same address, as behind an ingress
 * without trusted proxies. Each round measures the members without and with the flood; the limits are the defaults.
 */
async function main(): Promise<void> {
  const bench = await BenchCluster.start(1);
  let testbed: SubmissionTestbed | undefined;
  try {
    bench.startController();
    testbed = await SubmissionTestbed.make(
      Object.assign(new CustomResources(bench.cluster.client), { cluster: bench.cluster }),
    );
    await testbed.project('shop', projectOf('shop').spec);
    await bench.quiet(3);
    await bench.stopControllers();
    const accountToken = await bench.cluster.serviceAccountToken(submissionProject, submissionName);
    const accounts = { issuer: decodeJwt(accountToken).iss ?? '', audience: 'pinion-submission' };
    const oidc = { issuer: testbed.issuer.url, audience: 'pinion' };
    const submission = await testbed.start('submission', {
      identity: {
        issuers: [{ ...oidc, usernamePrefix: '-', groupsClaim: 'groups' }],
        serviceAccounts: { issuers: [accounts.issuer], audience: accounts.audience },
      },
      limits: {},
    });
    const url = await submission.url();
    const keyId = decodeProtectedHeader(accountToken).kid ?? '';
    const forged = [
      { ...oidc, keyId: testbed.issuer.key.kid },
      { ...accounts, keyId },
    ];
    const [quiet, flooded]: [Figures[], Figures[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const before = await measureMembers(testbed, url);
      const end = new AbortController();
      const flood = sendFlood(url, floodRate, forged, end.signal);
      const mark = bench.cluster.audit.mark();
      const during = await measureMembers(testbed, url);
      end.abort();
      const statuses = [...(await flood)].map(([status, count]) => `${count} x ${status}`).join(', ');
      const reviews = bench.cluster.audit
        .since(mark, { userAgent: 'pinion-submission' })
        .filter(({ objectRef }) => objectRef?.resource === 'tokenreviews').length;
      // The first round warms up.
      if (round === 0) continue;
      quiet.push(before);
      flooded.push(during);
      printLine(
        `round ${round}: ${textOf(before)} quiet; ${textOf(during)} with the flood (${statuses}; ${reviews} token reviews)`,
      );
    }
    const p99 = (all: readonly Figures[]): number => median(all, (one) => one.p99).p99;
    const total = flooded.reduce((sum, one) => sum + one.total, 0);
    const failed = flooded.reduce((sum, one) => sum + one.failed, 0);
    ratio('submission-flood-success', (total - failed) / total, '>=', 1);
    ratio('submission-flood-p99', p99(flooded) / p99(quiet), '<=', 1.5);
  } finally {
    await testbed?.stop();
    await bench.stop();
  }
}

/** Measures requests of members at a fixed rate, which does not slow down with the responses. */
async function measureMembers(testbed: SubmissionTestbed, url: string): Promise<Figures> {
  const count = memberRate * secondsPerRound;
  const known = await Promise.all(Array.from({ length: members }, (_, index) => testbed.token(`user-${index}`)));
  const fresh = await Promise.all(
    Array.from({ length: Math.ceil(count / newTokenEvery) }, (_, index) => testbed.token(`new-${index}-${Date.now()}`)),
  );
  const times: number[] = [];
  let failed = 0;
  const request = async (index: number): Promise<void> => {
    const token = index % newTokenEvery === 0 ? fresh[index / newTokenEvery] : known[index % members];
    const startedAt = performance.now();
    const response = await fetch(`${url}/v1/projects`, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    if (response.status !== 200) failed += 1;
  };
  const startedAt = performance.now();
  const requests: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    await sleep(Math.max(0, startedAt + (index * 1000) / memberRate - performance.now()));
    requests.push(request(index).catch(() => void (failed += 1)));
  }
  await Promise.all(requests);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { total: count, failed, p50: at(0.5), p99: at(0.99) };
}

const textOf = ({ total, failed, p50, p99 }: Figures): string =>
  `${total - failed} of ${total} succeeded, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

// Keeps the event loop alive, which the server processes of the control plane do not.
const alive = setInterval(() => undefined, 60_000);
main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => {
    clearInterval(alive);
    progress('');
  });
