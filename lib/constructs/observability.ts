import { type ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { observabilityManifests, type ObservabilityOptions } from '../observability';
import { ManifestApiObject } from './manifest-api-object';

/** Props of an `Observability`. */
export type ObservabilityProps = ObservabilityOptions;

/** Alert rules, dashboards and scrape configuration of the platform, for a cluster that runs Prometheus and Grafana's sidecar. */
export class Observability extends Construct {
  /** The added objects. */
  readonly objects: readonly ApiObject[];

  constructor(scope: Construct, id: string, props: ObservabilityProps = {}) {
    super(scope, id);
    this.objects = observabilityManifests(props).map(
      (object) => new ManifestApiObject(this, `${object.kind}-${object.metadata.name}`, object),
    );
  }
}
