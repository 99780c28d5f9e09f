/**
 * The app of cdk8s.yaml: all stories, for the Platform of the nearest pinion.platform.yaml, else the built-in one.
 */
import { PlatformApp } from 'pinion';
import { placeStories } from './stories';

const app = new PlatformApp();
placeStories(app);
app.synth();
