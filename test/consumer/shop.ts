import { Chart, Cron, Duration } from 'cdk8s';
import { type Construct } from 'constructs';
import { PinterestCronJob, PinterestService } from '@pinion-platform/pinion';

/** The shop: a service, and its report of every night. */
export class Shop extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);

    new PinterestService(this, 'cart', {
      project: 'shop',
      replicas: 3,
      loadBalancer: { port: 8080 },
      sidecars: { logs: { config: { level: 'info' } } },
      template: {
        spec: {
          containers: [{ name: 'app', image: 'registry.example.com/cart:1.4.2', ports: [{ containerPort: 8080 }] }],
        },
      },
    });

    new PinterestCronJob(this, 'report', {
      project: 'shop',
      schedule: Cron.daily(),
      activeDeadline: Duration.hours(1),
      template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/report:2.0.0' }] } },
    });
  }
}
