import { type Construct } from 'constructs';
import { type RuntimeProfileSpec } from '../api';
import { type KubernetesObject } from '../expand';
import { PlacedPlatformDocument } from './placed-platform-document';
import { type DocumentProps } from './resource-construct';
import { type GivenFields } from './plus-values';

/** Props of a `RuntimeProfile`. */
export interface RuntimeProfileProps extends GivenFields<RuntimeProfileSpec>, DocumentProps {}

/** What the platform adds to workloads; it becomes nothing by itself, the workloads of the app carry it. */
export class RuntimeProfile extends PlacedPlatformDocument<'RuntimeProfile'> {
  constructor(scope: Construct, id: string, props: RuntimeProfileProps) {
    super(scope, id, 'RuntimeProfile', props);
  }

  protected override objectsOf(): readonly KubernetesObject[] {
    return [];
  }
}
