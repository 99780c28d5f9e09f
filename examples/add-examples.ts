/** All examples, each in its own chart. They use the Platform of the app that contains them. */
import { type Construct } from 'constructs';
import { connected } from './connected/connected';
import { jobSets } from './job-sets/job-sets';
import { mixed } from './mixed/mixed';
import { nightly } from './nightly/nightly';
import { nodeExporter } from './node-exporter/node-exporter';
import { onlineBoutique } from './online-boutique/online-boutique';
import { shardedBatch } from './sharded-batch/sharded-batch';
import { training } from './training/training';

/** Adds the charts of all examples. */
export function addExamples(app: Construct): void {
  for (const example of [onlineBoutique, training, shardedBatch, jobSets, nightly, nodeExporter, mixed, connected])
    example(app);
}
