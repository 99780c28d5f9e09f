import { type ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { explainProblem, isError, type Problem } from '../api';
import { safeInstallManifests, type InstallOptions } from '../expand';
import { callSite } from './call-site';
import { ManifestApiObject } from './manifest-api-object';
import { withSource } from './app-context';

/** Props of a `PinionInstall`. */
export type PinionInstallProps = InstallOptions;

/** Installation of pinion in a cluster: CRDs, the controller with its computed RBAC permissions, admission policies, and manifests. */
export class PinionInstall extends Construct {
  /** Installed objects, in apply order; empty if the props have errors. */
  readonly objects: readonly ApiObject[];
  /** Problems of the props; errors stop the synthesis of the app. */
  readonly problems: readonly Problem[];

  constructor(scope: Construct, id: string, props: PinionInstallProps) {
    super(scope, id);
    const { objects = [], problems } = safeInstallManifests(props);
    const source = callSite();
    this.problems = problems.map((problem) => withSource(problem, source));
    this.objects = objects.map(
      (object) => new ManifestApiObject(this, `${object.kind}-${object.metadata.name}`, object),
    );
    const errors = this.problems.filter(isError).map(explainProblem);
    if (errors.length > 0) this.node.addValidation({ validate: () => errors });
  }
}
