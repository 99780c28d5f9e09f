import { describePinion } from './pinion-suite';
import { sceneUsers } from './hostile-tenant/actors';
import { areas } from './hostile-tenant/areas';
import { type Attack } from './hostile-tenant/attack';
import { runAttacks, type Verdict } from './hostile-tenant/run-attacks';
import { createScene, type Scene, scenePlatform } from './hostile-tenant/scene';

const attacks = areas.flatMap((area) => area.attacks);

test('there are at least 150 attacks, each with a name of its own, and rightful moves beside them', () => {
  const names = attacks.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const rightful = attacks.filter(({ expects }) => expects.type === 'allowed');
  expect(attacks.length - rightful.length).toBeGreaterThanOrEqual(150);
  expect(rightful.length).toBeGreaterThanOrEqual(50);
});

describePinion(
  'hostile tenant',
  (pinion) => {
    describe.each(areas)('$title', ({ attacks: table }) => {
      let verdicts: ReadonlyMap<Attack, Verdict>;
      beforeAll(async () => {
        verdicts = await runAttacks(await sceneOf(), table);
      }, 300_000);
      test.each(table.map((attack): [string, Attack] => [attack.name, attack]))('%s', (_, attack) => {
        expect(verdicts.get(attack)).toBeUndefined();
      });
    });

    let scene: Promise<Scene> | undefined;
    const sceneOf = (): Promise<Scene> => (scene ??= createScene(pinion()));
  },
  {
    documents: scenePlatform,
    twoControllers: true,
    users: sceneUsers,
    // In addition to RBAC, as every cluster of the stack has them.
    apiServerFlags: ['--authorization-mode=Node', '--enable-admission-plugins=NodeRestriction'],
    // Each controller of Kubernetes has an identity of its own, not that of an administrator.
    controllerManagerFlags: ['--use-service-account-credentials=true'],
  },
);
