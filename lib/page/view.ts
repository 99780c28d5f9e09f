import { type WorkloadView } from '../contract';
import { deployView } from './deploy-view';
import { deploymentsView } from './deployments-view';
import { deploymentView, titleOf } from './deployment-view';
import { type Described } from './element';
import { frame, nowhereView } from './frame';
import { overviewView } from './overview-view';
import { type Actions, type State } from './state';
import { workloadView } from './workload-view';
import { workloadsView } from './workloads-view';

/** The whole page as it should look, of what is known. */
export const pageView = (state: State, rows: readonly WorkloadView[], actions: Actions): Described =>
  frame(state, viewOf(state, rows, actions), actions);

function viewOf(state: State, rows: readonly WorkloadView[], actions: Actions): Described {
  const { route } = state;
  switch (route.page) {
    case 'overview':
      return overviewView(state, rows);
    case 'workloads':
      return workloadsView(state, route.filter, rows, actions);
    case 'workload':
      return workloadView(state, route);
    case 'deployments':
      return deploymentsView(state, route.filter, actions);
    case 'deployment':
      return deploymentView(state, route.id, actions);
    case 'deploy':
    case 'rollback':
      return deployView(state, route, actions);
    case 'nowhere':
      return nowhereView();
  }
}

/** The title of the window. */
export function windowTitle({ route, inventory }: State): string {
  const opened = route.page === 'deployment' ? inventory.deployments.items.get(route.id) : undefined;
  const titles = {
    overview: 'Overview',
    workloads: 'Workloads',
    workload: route.page === 'workload' ? `${route.name} in ${route.project}` : '',
    deployments: 'Deployments',
    deployment: opened ? titleOf(opened) : 'Deployment',
    deploy: 'Deploy',
    rollback: 'Go back',
    nowhere: 'Nothing here',
  } satisfies Record<typeof route.page, string>;
  return `${titles[route.page]} – pinion`;
}
