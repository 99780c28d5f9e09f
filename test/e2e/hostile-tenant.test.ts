import { areas } from './hostile-tenant/areas';
import { type Attack } from './hostile-tenant/attack';
import { runAttacks, type Verdict } from './hostile-tenant/run-attacks';
import { describeHostileTenant } from './hostile-tenant/suite';

const attacks = areas.flatMap((area) => area.attacks);

test('there are at least 150 attacks, each with a name of its own, and rightful moves beside them', () => {
  const names = attacks.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const rightful = attacks.filter(({ expects }) => expects.type === 'allowed');
  expect(attacks.length - rightful.length).toBeGreaterThanOrEqual(150);
  expect(rightful.length).toBeGreaterThanOrEqual(50);
});

describeHostileTenant('hostile tenant', (scene) => {
  describe.each(areas)('$title', ({ attacks: table }) => {
    let verdicts: ReadonlyMap<Attack, Verdict>;
    beforeAll(async () => {
      verdicts = await runAttacks(await scene(), table);
    }, 300_000);
    test.each(table.map((attack): [string, Attack] => [attack.name, attack]))('%s', (_, attack) => {
      expect(verdicts.get(attack)).toBeUndefined();
    });
  });
});
