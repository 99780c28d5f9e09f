/**
 * App of cdk8s.yaml: all examples, with the Platform of the nearest pinion.platform.yaml or the built-in one.
 */
import { PlatformApp } from 'pinion';
import { placeStories } from './stories';

const app = new PlatformApp();
placeStories(app);
app.synth();
