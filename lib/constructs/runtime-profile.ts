import { type Construct } from 'constructs';
import { type RuntimeProfileSpec } from '../api';
import { type KubernetesObject } from '../expand';
import { PlatformResourceConstruct } from './platform-resource-construct';
import { type DocumentProps } from './resource-construct';
import { type PropFields } from './plus-values';

/** Props of a `RuntimeProfile`. */
export interface RuntimeProfileProps extends PropFields<RuntimeProfileSpec>, DocumentProps {}

/** Platform additions to workloads. Creates no objects itself; the workloads of the app include the additions. */
export class RuntimeProfile extends PlatformResourceConstruct<'RuntimeProfile'> {
  constructor(scope: Construct, id: string, props: RuntimeProfileProps) {
    super(scope, id, 'RuntimeProfile', props);
  }

  protected override objectsOf(): readonly KubernetesObject[] {
    return [];
  }
}
