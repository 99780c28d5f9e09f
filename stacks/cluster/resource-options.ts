import { type CustomResourceOptions, type Input, type Resource } from '@pulumi/pulumi';
import { type Planned } from '../plan';

/** Options of a planned resource: whose child it is, whether it is protected, what somebody else changes, what it waits for. */
export const optionsOf = (
  parent: Resource,
  { protect, ignoreChanges }: Pick<Planned<unknown>, 'protect' | 'ignoreChanges'>,
  waitsFor: readonly Input<Resource>[] = [],
): CustomResourceOptions => ({
  parent,
  ...(protect && { protect }),
  ...(ignoreChanges && { ignoreChanges: [...ignoreChanges] }),
  ...(waitsFor.length > 0 && { dependsOn: [...waitsFor] }),
});
