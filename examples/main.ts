/**
 * The app of cdk8s.yaml: every story is a chart of its own, and all lean on one Platform.
 * Without a pinion.platform.yaml in or above the working folder that is the built-in one.
 */
import { App } from 'cdk8s';
import { nightly } from './nightly/nightly';
import { nodeExporter } from './node-exporter/node-exporter';
import { onlineBoutique } from './online-boutique/online-boutique';
import { shardedBatch } from './sharded-batch/sharded-batch';
import { training } from './training/training';

const app = new App();
onlineBoutique(app);
training(app);
shardedBatch(app);
nightly(app);
nodeExporter(app);
app.synth();
