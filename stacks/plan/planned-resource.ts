/**
 * Planned Pulumi resource: `args` is passed to the provider unchanged; other fields name the resources whose outputs it
 * needs.
 */
export interface PlannedResource<Args> {
  /** Resource name within the stack; stable, since a rename replaces the resource. */
  readonly name: string;
  readonly args: Args;
  /** Set for resources with unique data, which Pulumi then refuses to delete. */
  readonly protect?: true;
  /** Arguments that other systems change at run time. */
  readonly ignoreChanges?: readonly string[];
}
