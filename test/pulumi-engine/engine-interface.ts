import { type Stack } from '@pulumi/pulumi/automation';
import { type Engine } from './engine';

/** Operation of the engine. */
export type EngineOperation = 'preview' | 'up' | 'refresh' | 'destroy';

/** Number of resources by operation, done or planned. */
export type ChangeCounts = Readonly<Record<string, number>>;

/** An interface for running the engine on a stack. */
export type EngineInterface = (verb: EngineOperation) => Promise<ChangeCounts>;

/** The CLI, run in the folder of `Pulumi.yaml`. */
export const commandLineInterface =
  (engine: Engine, stackName: string): EngineInterface =>
  async (verb) => {
    const yes = verb === 'preview' ? [] : ['--yes', ...(verb === 'destroy' ? [] : ['--skip-preview'])];
    const printed = await engine.command(verb, '--stack', stackName, '--non-interactive', ...yes);
    return changesIn(printed.slice(printed.lastIndexOf('Resources:')));
  };

/** The Automation API, as used by a program. */
export const automationApi =
  (engine: Engine, stack: Stack): EngineInterface =>
  async (verb) => {
    const onOutput = (text: string): void => engine.note(text);
    // Otherwise a destroy deletes everything except protected resources before it stops.
    if (verb === 'destroy') await stack.previewDestroy({ onOutput });
    if (verb === 'preview') return (await stack.preview({ onOutput })).changeSummary as ChangeCounts;
    return (await stack[verb]({ onOutput })).summary.resourceChanges as ChangeCounts;
  };

const verbs: Readonly<Record<string, string>> = {
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
function changesIn(printed: string): ChangeCounts {
  const [, block = ''] = /^Resources:\n((?: +.*\n)+)/m.exec(printed) ?? [];
  const counts = [...block.matchAll(/^ +(?:\d+ changes\. |[-+~]+ *)?(\d+) (?:to )?(\w+)$/gm)];
  if (counts.length === 0) throw new Error(`no resource counts in ${printed}`);
  return Object.fromEntries(counts.map(([, count, verb = '']) => [verbs[verb] ?? verb, Number(count)]));
}
