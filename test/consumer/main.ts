import { App } from 'cdk8s';
import { Shop } from './shop';

const app = new App();
new Shop(app, 'shop');
app.synth();
