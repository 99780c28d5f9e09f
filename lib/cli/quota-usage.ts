import { examineUsage, type Amounts, type Usage } from '../quota';
import { capacityInput, refused } from './capacity-input';
import { type ExitCode } from './exit-codes';
import { type Io } from './io';
import { type GivenQuota } from './quota-options';

/** What is known of the past and the present of projects. */
export interface KnownUsage {
  readonly usage: Usage;
  /** What objects ask for now, by project. */
  readonly used: ReadonlyMap<string, Amounts>;
}

const nothing: KnownUsage = { usage: new Map(), used: new Map() };

/** Reads the history that the options name; where it cannot be, how the process should end. */
export async function usageOf({ texts }: GivenQuota, io: Io): Promise<KnownUsage | ExitCode> {
  if (texts.usage === undefined) return nothing;
  const input = await capacityInput(texts.usage, io);
  if (!input.document) return refused(input, io);
  const { usage, problems } = examineUsage(input.document.value);
  if (!usage) return refused({ ...input, problems: [...input.problems, ...problems] }, io);
  return { usage, used: new Map() };
}
