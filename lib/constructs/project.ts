import { type Construct } from 'constructs';
import { type PlatformManifest, type ProjectSpec } from '../api';
import { expandProject, type KubernetesObject } from '../expand';
import { PlatformResourceConstruct } from './platform-resource-construct';
import { type DocumentProps } from './resource-construct';
import { type PropFields } from './plus-values';

/** Props of a `Project`. */
export interface ProjectProps extends PropFields<ProjectSpec>, DocumentProps {}

/** A namespace with its owner and limits: Namespace, ResourceQuota, LimitRange, RoleBindings and the deployer's ServiceAccount. */
export class Project extends PlatformResourceConstruct<'Project'> {
  constructor(scope: Construct, id: string, props: ProjectProps) {
    super(scope, id, 'Project', props);
  }

  protected override objectsOf(document: PlatformManifest<'Project'>): readonly KubernetesObject[] | undefined {
    const cluster = this.context.cluster();
    return cluster && expandProject(document, cluster);
  }
}
