import { service, Setting, stage } from './setting';

jest.setTimeout(60_000);

let setting: Setting;
beforeEach(() => (setting = new Setting()));
afterEach(() => setting.stop());

const publish = (version: string) => setting.publishing.publish('shop', version, [service('cart')], [stage()]);

test('the end of a deployment is notified once, even if the next leader sees it late', async () => {
  const [first, second] = [await setting.replica(), await setting.replica({ leads: false })];
  const accepted = await setting.deploy(first, await publish('1.0.0'));
  second.client.hold();
  await setting.ended(first, accepted);
  await setting.until(() => first.state.ledger('shop').open.length === 0);
  await first.stop();
  expect(second.state.ledger('shop').open).toHaveLength(1);
  second.lead();
  await setting.until(() => second.state.ledger('shop').open.length === 0);
  expect([...first.ended, ...second.ended].map(({ id }) => id)).toEqual([accepted.id]);
});
