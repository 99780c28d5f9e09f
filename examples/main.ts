/**
 * App of cdk8s.yaml: all examples, with the Platform of the nearest pinion.platform.yaml or the built-in one.
 */
import { PlatformApp } from '@pinion-platform/pinion';
import { addExamples } from './add-examples';

const app = new PlatformApp();
addExamples(app);
app.synth();
