import { type Stack } from '@pulumi/pulumi/automation';
import { diagnosticsIn, type Engine } from './engine';

/** Operation of the engine. */
export type EngineOperation = 'preview' | 'up' | 'refresh' | 'destroy';

/** Number of resources by operation, done or planned. */
export type ChangeCounts = Readonly<Record<string, number>>;

/** An interface for running the engine on a stack. */
export type EngineInterface = (operation: EngineOperation) => Promise<ChangeCounts>;

/** The CLI, run in the folder of `Pulumi.yaml`. */
export const commandLineInterface =
  (engine: Engine, stackName: string): EngineInterface =>
  async (operation) => {
    const confirmationFlags =
      operation === 'preview' ? [] : ['--yes', ...(operation === 'destroy' ? [] : ['--skip-preview'])];
    const output = await engine.command(operation, '--stack', stackName, '--non-interactive', ...confirmationFlags);
    return changesIn(output.slice(output.lastIndexOf('Resources:')));
  };

/** The Automation API, as used by a program. */
export const automationApi =
  (engine: Engine, stack: Stack): EngineInterface =>
  async (operation) => {
    const onOutput = (text: string): void => engine.note(text);
    const run = async (): Promise<ChangeCounts> => {
      // Otherwise a destroy deletes everything except protected resources before it stops.
      if (operation === 'destroy') await stack.previewDestroy({ onOutput });
      if (operation === 'preview') return (await stack.preview({ onOutput })).changeSummary as ChangeCounts;
      return (await stack[operation]({ onOutput })).summary.resourceChanges as ChangeCounts;
    };
    return run().catch((cause: unknown) => {
      throw new Error(diagnosticsIn(String(cause)), { cause });
    });
  };

const operationNames: Readonly<Record<string, string>> = {
  create: 'create',
  created: 'create',
  update: 'update',
  updated: 'update',
  delete: 'delete',
  deleted: 'delete',
  replace: 'replace',
  replaced: 'replace',
  unchanged: 'same',
};

/** Parses the counts below `Resources:`. */
function changesIn(output: string): ChangeCounts {
  const [, block = ''] = /^Resources:\n((?: +.*\n)+)/m.exec(output) ?? [];
  const counts = [...block.matchAll(/^ +(?:\d+ changes\. |[-+~]+ *)?(\d+) (?:to )?(\w+)$/gm)];
  if (counts.length === 0) throw new Error(`no resource counts in ${output}`);
  return Object.fromEntries(
    counts.map(([, count, operation = '']) => [operationNames[operation] ?? operation, Number(count)]),
  );
}
