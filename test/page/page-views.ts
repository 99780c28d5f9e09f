import { idOf } from './sample-data';

/** Views, each with a selector that matches once it is rendered. */
export const pageViews = {
  overview: { hash: '#/', shows: '.project' },
  workloads: { hash: '#/workloads', shows: '.grid-row' },
  workload: { hash: '#/workloads/shop/use1-prod/PinterestService/cart', shows: '.children' },
  rollouts: { hash: '#/rollouts', shows: 'tbody tr' },
  clients: { hash: '#/clients', shows: 'tbody tr' },
  deployments: { hash: '#/deployments', shows: '.rows li' },
  deployment: { hash: `#/deployments/${idOf(4)}`, shows: '.log li' },
  deploy: { hash: '#/deploy?project=shop&version=1.5.0&stage=prod', shows: '.report' },
  untrusted: { hash: '#/deploy?project=shop&version=1.4.0&stage=prod', shows: '.problems' },
  rollback: { hash: '#/rollback?project=shop&workflow=cart&version=1.4.1&stage=prod', shows: '.report' },
  notFound: { hash: '#/else', shows: 'h1' },
} as const;
