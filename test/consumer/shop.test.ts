import { Testing } from 'cdk8s';
import { Shop } from './shop';

test('the shop is what it was', () => {
  expect(Testing.synth(new Shop(Testing.app(), 'shop'))).toMatchSnapshot();
});
