import { describeRehearsal } from '../rehearsal/suite';

describeRehearsal('one master of the planned three, alone', { alone: true }, (rehearsal) => {
  test('its user data makes it a master', async () => {
    const master = await rehearsal().boot('a');
    await master.made();
    await master.serve();
    await master.register();
    await master.settle();
    console.log(master.init.started);
  }, 600_000);
});
