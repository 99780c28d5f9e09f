import { type CustomResourceOptions, type Input, type Resource } from '@pulumi/pulumi';
import { type PlannedResource } from '../plan';

/** Returns the options of a planned resource: parent, protection, ignored changes and dependencies. */
export const optionsOf = (
  parent: Resource,
  { protect, ignoreChanges }: Pick<PlannedResource<unknown>, 'protect' | 'ignoreChanges'>,
  dependsOn: readonly Input<Resource>[] = [],
): CustomResourceOptions => ({
  parent,
  ...(protect && { protect }),
  ...(ignoreChanges && { ignoreChanges: [...ignoreChanges] }),
  ...(dependsOn.length > 0 && { dependsOn: [...dependsOn] }),
});
