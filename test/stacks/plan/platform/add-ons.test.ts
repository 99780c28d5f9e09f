import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addOns, addOnVersion, type AddOn } from '../../../../stacks/plan/platform';

const page = readFileSync(join(__dirname, '../../../../docs/platform-stack.md'), 'utf8');

/** Returns the cells of the table between the markers of the page, without its header. */
const written = (page.split('<!-- add-ons:begin -->')[1] ?? '')
  .split('<!-- add-ons:end -->')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const entries: readonly (readonly [keyof typeof addOns, AddOn])[] = Object.entries(addOns) as never;

test('the page contains the current table of add-ons', () => {
  const rows = entries.map(([name, { purpose, version, images, owner, upkeep, as, reason }]) => [
    `\`${name}\``,
    purpose,
    typeof version === 'string'
      ? version
      : Object.entries(version)
          .map(([minor, one]) => `${one} (${minor})`)
          .join(', '),
    Object.values(images)
      .map(({ repository, tag }) => `\`${repository}${tag === undefined ? '' : `:${tag}`}\``)
      .join(', '),
    owner,
    upkeep,
    reason === undefined ? as : `${as}: ${reason}`,
  ]);
  expect(written).toEqual(rows);
});

test('components of a Kubernetes minor version have that minor version', () => {
  for (const name of ['cloud-controller-manager', 'cluster-autoscaler', 'kube-proxy'] as const)
    for (const minor of ['1.35', '1.36'] as const)
      expect(addOnVersion(name, minor)).toMatch(new RegExp(`^v${minor}\\.\\d+$`));
});

test('every add-on documents its owner, its upkeep, and why it does not use pinion kinds', () => {
  for (const [, { owner, upkeep, as, reason }] of entries) {
    expect(owner.length).toBeGreaterThan(0);
    expect(upkeep.length).toBeGreaterThan(20);
    if (as === 'plain objects') expect(reason?.length).toBeGreaterThan(0);
  }
});
