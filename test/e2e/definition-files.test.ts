import { join } from 'node:path';
import { crdOf, type PinionKind, pinionKinds } from '../../lib/api';
import { describeControlPlane } from '../control-plane/suite';

const kinds = Object.keys(pinionKinds) as PinionKind[];
const folder = join(__dirname, '..', '..', 'crds');

describeControlPlane('The files of the definitions', (controlPlane) => {
  /** Returns what kubectl did with each definition. */
  async function apply(args: readonly string[], stdin?: string): Promise<readonly string[]> {
    const { code, stdout, stderr } = await controlPlane().kubectl(['apply', ...args], stdin);
    expect([code, stderr]).toEqual([0, '']);
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\S+ /, ''));
  }

  test('are applied by kubectl, and are equal to what the library installs', async () => {
    expect(await apply(['-f', folder])).toEqual(kinds.map(() => 'created'));
    const list = { apiVersion: 'v1', kind: 'List', items: kinds.map((kind) => crdOf(kind)) };
    expect(await apply(['-f', '-'], JSON.stringify(list))).toEqual(kinds.map(() => 'unchanged'));
    expect(await apply(['--server-side', '-f', folder])).toEqual(kinds.map(() => 'serverside-applied'));
  });
});
