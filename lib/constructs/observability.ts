import { type ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { dashboardConfigMaps, prometheusRules, type PrometheusRuleOptions } from '../observability';
import { PlacedObject } from './placed-object';

/** Props of an `Observability`. */
export interface ObservabilityProps extends PrometheusRuleOptions {
  /** Whether Grafana's dashboards are placed too, as ConfigMaps. @default true */
  readonly dashboards?: boolean;
}

/** Rules and dashboards of the platform, for a cluster that runs the Prometheus Operator and Grafana's sidecar. */
export class Observability extends Construct {
  /** What is placed. */
  readonly objects: readonly ApiObject[];

  constructor(scope: Construct, id: string, { dashboards = true, ...options }: ObservabilityProps = {}) {
    super(scope, id);
    const made = [...prometheusRules(options), ...(dashboards ? dashboardConfigMaps(options.namespace) : [])];
    this.objects = made.map((object) => new PlacedObject(this, `${object.kind}-${object.metadata.name}`, object));
  }
}
