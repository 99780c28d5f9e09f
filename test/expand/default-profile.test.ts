import { examine } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand/default-platform';
import { defaultProfile } from '../../lib/expand/default-profile';

test('the shipped documents complete without a problem', () => {
  expect(examine(defaultPlatform).problems).toEqual([]);
  expect(examine(defaultProfile).problems).toEqual([]);
});
