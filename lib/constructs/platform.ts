import { type Construct } from 'constructs';
import { type PlatformSpec } from '../api';
import { renderPlatform, type KubernetesObject } from '../expand';
import { PlatformResourceConstruct } from './platform-resource-construct';
import { type DocumentProps } from './resource-construct';
import { type PropFields } from './plus-values';

/** Props of a `Platform`; its name is always `cluster`. */
export interface PlatformProps extends PropFields<PlatformSpec>, Omit<DocumentProps, 'name'> {}

/** The settings of one cluster: PriorityClasses of its tiers, roles over pinion kinds, and admission policies. */
export class Platform extends PlatformResourceConstruct<'Platform'> {
  constructor(scope: Construct, id: string, props: PlatformProps) {
    super(scope, id, 'Platform', { ...props, name: 'cluster' });
  }

  protected override objectsOf(): readonly KubernetesObject[] | undefined {
    const cluster = this.context.cluster();
    return cluster && renderPlatform(cluster);
  }
}
