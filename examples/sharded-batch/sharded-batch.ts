/**
 * A batch job with four shards: each reads its range from a file, counts the primes in it, and writes them to its own volume.
 * The last range is the most expensive, so that shard gets more memory, a larger volume and another pool.
 */
import { Chart } from 'cdk8s';
import { type Construct } from 'constructs';
import { PinterestJobSet } from '@pinion-platform/pinion';

const program = `import json
shard = json.load(open("/etc/range/range.json"))
first, last = shard["index"] * shard["width"], (shard["index"] + 1) * shard["width"]
sieve = bytearray([1]) * last
sieve[:2] = b"\\0\\0"
for n in range(2, int(last**0.5) + 1):
    if sieve[n]:
        sieve[n * n :: n] = bytes(len(range(n * n, last, n)))
primes = [n for n in range(first, last) if sieve[n]]
with open("/var/lib/primes/primes.txt", "w") as out:
    out.writelines(f"{n}\\n" for n in primes)
print(f"shard {shard['index']} of {shard['count']}: {len(primes)} primes from {first} to {last}")
`;

const range = `{"index": $(PINION_SHARD_INDEX), "count": $(PINION_SHARD_COUNT), "width": 10000000}\n`;

/** Adds a chart with the job. */
export function shardedBatch(scope: Construct): Chart {
  const chart = new Chart(scope, 'sharded-batch');
  new PinterestJobSet(chart, 'primes', {
    project: 'numbers',
    tier: 'batch',
    shards: 4,
    retries: 2,
    activeDeadline: '2h',
    ttlAfterFinished: '1d',
    config: { files: { '/opt/primes/primes.py': program } },
    configTemplates: [{ name: 'range', mountPath: '/etc/range', data: { 'range.json': range } }],
    volumeClaimTemplates: [{ name: 'primes', mountPath: '/var/lib/primes', size: '1Gi' }],
    overrides: [
      {
        shards: [3],
        resources: { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } },
        claimSizes: { primes: '2Gi' },
        pool: 'highmem',
      },
    ],
    template: {
      spec: {
        securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
        containers: [
          {
            name: 'count',
            image: 'docker.io/library/python:3.13.5-slim',
            command: ['python', '/opt/primes/primes.py'],
            resources: { requests: { cpu: '1', memory: '512Mi' }, limits: { memory: '1Gi' } },
          },
        ],
      },
    },
  });
  return chart;
}
