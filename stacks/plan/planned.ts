/**
 * One resource as a Pulumi program makes it: `args` goes to the provider as it is, beside what is known only once other
 * resources are there, which its own fields name.
 */
export interface Planned<Args> {
  /** Name within the stack; it never changes for the same thing. */
  readonly name: string;
  readonly args: Args;
  /** Set on what holds data that nothing else has: it is not deleted by mistake. */
  readonly protect?: true;
  /** Arguments that somebody else changes while the cluster lives. */
  readonly ignoreChanges?: readonly string[];
}
