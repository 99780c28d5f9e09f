import { ComponentResource, type ComponentResourceOptions } from '@pulumi/pulumi';
import { type Stage } from '../plan';
import { PlatformStage } from './platform-stage';

/** Platform of a cluster: its stages, in order. */
export class PlatformStages extends ComponentResource {
  constructor(name: string, stages: readonly Stage[], options?: ComponentResourceOptions) {
    super('pinion:platform:Platform', name, {}, options);
    let after: PlatformStage | undefined;
    for (const stage of stages) after = new PlatformStage({ stage, ...(after && { after }) }, { parent: this });
    this.registerOutputs({});
  }
}
