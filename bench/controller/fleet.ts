import { type ManifestInput } from '../../lib/api';
import { BenchCluster } from './bench-cluster';
import { printLine } from './progress';
import { service, smallSpec } from './services';
import { type Sizes } from './sizes';

const perProject = 1000;

/** A control plane with thousands of converged services and a running controller. */
export interface Fleet {
  readonly bench: BenchCluster;
  readonly services: readonly ManifestInput<'PinterestService'>[];
}

/** Creates the fleet: most services have no pods, so that a small machine suffices. */
export async function startFleet({ fleet, 'with-pods': withPods }: Sizes): Promise<Fleet> {
  const bench = await BenchCluster.start(Math.max(3, Math.ceil((withPods * 2) / 25)));
  try {
    const projects = Array.from({ length: Math.ceil(fleet / perProject) }, (_, index) => `fleet-${index}`);
    await bench.projects(projects);
    const services = Array.from({ length: fleet }, (_, index) =>
      service(projects[Math.floor(index / perProject)] ?? '', `service-${index}`, smallSpec(index < withPods ? 2 : 0)),
    );
    const startedAt = Date.now();
    const controller = bench.startController();
    await controller.leads();
    await bench.store(services);
    await bench.quiet(10);
    printLine(`fleet: ${fleet} services converged in ${Math.round((Date.now() - startedAt) / 1000)} s`);
    return { bench, services };
  } catch (error) {
    await bench.stop();
    throw error;
  }
}
