import { type WorkloadView } from '../../contract';
import { type VNode } from '../dom/vnode';
import { type Actions, type State } from '../state/state';
import { clientsView } from './clients-view';
import { deployView } from './deploy-view';
import { deploymentTitle, deploymentView } from './deployment-view';
import { deploymentsView } from './deployments-view';
import { notFoundView, pageLayout } from './layout';
import { overviewView } from './overview-view';
import { rolloutsView } from './rollouts-view';
import { workloadView } from './workload-view';
import { workloadsView } from './workloads-view';

/** Returns the whole page for a state. */
export const pageView = (state: State, rows: readonly WorkloadView[], actions: Actions): VNode =>
  pageLayout(state, viewOf(state, rows, actions), actions);

function viewOf(state: State, rows: readonly WorkloadView[], actions: Actions): VNode {
  const { route } = state;
  switch (route.page) {
    case 'overview':
      return overviewView(state, rows);
    case 'clients':
      return clientsView(state);
    case 'rollouts':
      return rolloutsView(state);
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
    case 'not-found':
      return notFoundView();
  }
}

/** Returns the title of the window. */
export function windowTitle({ route, inventory }: State): string {
  const opened = route.page === 'deployment' ? inventory.deployments.items.get(route.id) : undefined;
  const titles = {
    overview: 'Overview',
    clients: 'Clients',
    rollouts: 'Rollouts',
    workloads: 'Workloads',
    workload: route.page === 'workload' ? `${route.name} in ${route.project}` : '',
    deployments: 'Deployments',
    deployment: opened ? deploymentTitle(opened) : 'Deployment',
    deploy: 'Deploy',
    rollback: 'Roll back',
    'not-found': 'Page not found',
  } satisfies Record<typeof route.page, string>;
  return `${titles[route.page]} – pinion`;
}
