import { ComponentResource, type ComponentResourceOptions } from '@pulumi/pulumi';
import { type Stage } from '../plan';
import { PlatformStage } from './platform-stage';

/** A platform on its cluster, stage after stage. */
export class Platform extends ComponentResource {
  constructor(name: string, stages: readonly Stage[], options?: ComponentResourceOptions) {
    super('pinion:platform:Platform', name, {}, options);
    let after: PlatformStage | undefined;
    for (const stage of stages) after = new PlatformStage({ stage, ...(after && { after }) }, { parent: this });
    this.registerOutputs({});
  }
}
