import { type BenchCluster } from './bench-cluster';

/** Starts measuring the time that requests spend in ValidatingAdmissionPolicies; the result returns seconds. */
export async function policyTime(bench: BenchCluster): Promise<() => Promise<number>> {
  const before = await policySeconds(bench);
  return async () => (await policySeconds(bench)) - before;
}

/** Returns the seconds since the API server started, by its metrics. */
async function policySeconds({ admin }: BenchCluster): Promise<number> {
  const text = (await admin.request('GET', '/metrics', undefined, { accept: 'text/plain' })) as string;
  const sums = text
    .split('\n')
    .filter((line) => line.startsWith('apiserver_admission_controller_admission_duration_seconds_sum{'))
    .filter((line) => line.includes('name="ValidatingAdmissionPolicy"'));
  if (sums.length === 0) throw new Error('the API server reports no time of ValidatingAdmissionPolicy');
  return sums.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
