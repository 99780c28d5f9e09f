import { applyChanges, emptyInventory } from '../../../lib/page/state/inventory';
import { type Actions, initialState } from '../../../lib/page/state/state';
import { deploymentsView } from '../../../lib/page/views/deployments-view';
import { textOf } from '../fake-browser';
import { makeDeployment } from '../sample-data';

test('an incomplete list of deployments shows that more are loading', () => {
  const now = Date.parse('2026-11-22T08:00:00Z');
  const deployment = makeDeployment(1, { project: 'shop', workflow: 'cart' });
  const inventory = applyChanges(emptyInventory, [{ type: 'deployment', deployment }]);
  const textOfView = (loading: boolean): string => {
    const state = { ...initialState({ page: 'deployments', filter: {} }, now), inventory, listing: { loading } };
    return textOf(deploymentsView(state, {}, {} as Actions));
  };
  expect(textOfView(true)).toMatch(/shop\/cart.*Loading…/);
  expect(textOfView(false)).toMatch(/shop\/cart/);
  expect(textOfView(false)).not.toMatch(/Loading/);
});
