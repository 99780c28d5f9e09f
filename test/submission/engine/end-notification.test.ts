import { service, EngineFixture, stage } from './engine-fixture';

jest.setTimeout(60_000);

let fixture: EngineFixture;
beforeEach(() => (fixture = new EngineFixture()));
afterEach(() => fixture.stop());

const publish = (version: string) => fixture.publishing.publish('shop', version, [service('cart')], [stage()]);

test('the end of a deployment is notified once, even if the next leader sees it late', async () => {
  const [first, second] = [await fixture.replica(), await fixture.replica({ leads: false })];
  const accepted = await fixture.deploy(first, await publish('1.0.0'));
  second.client.hold();
  await fixture.ended(first, accepted);
  await fixture.until(() => first.state.ledger('shop').open.length === 0);
  await first.stop();
  expect(second.state.ledger('shop').open).toHaveLength(1);
  second.lead();
  await fixture.until(() => second.state.ledger('shop').open.length === 0);
  expect([...first.ended, ...second.ended].map(({ id }) => id)).toEqual([accepted.id]);
});
