/** A problem with a command line. */
export interface UsageProblem {
  /** The affected option, argument or command. */
  readonly subject: string;
  /** Text that follows the subject, such as "must be an integer". */
  readonly reason: string;
  /** The invalid value. */
  readonly value?: string;
  readonly remedy?: string;
}

/** Called with each problem of a command line. */
export type UsageReporter = (problem: UsageProblem) => void;

/** Thrown when a command line is invalid; its messages name the value and the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
  readonly messages: readonly string[];

  constructor(...problems: readonly (string | UsageProblem)[]) {
    const messages = problems.map((problem) => (typeof problem === 'string' ? problem : messageOf(problem)));
    super(messages.join('\n'));
    this.messages = messages;
  }
}

function messageOf({ subject, reason, value, remedy }: UsageProblem): string {
  const actual = value === undefined ? '' : `, not ${JSON.stringify(value)}`;
  return `${subject} ${reason}${actual}${remedy === undefined ? '' : `; ${remedy}`}`;
}
