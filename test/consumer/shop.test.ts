import { Testing } from 'cdk8s';
import { Shop } from './shop';

test('the objects of the shop match the snapshot', () => {
  expect(Testing.synth(new Shop(Testing.app(), 'shop'))).toMatchSnapshot();
});
