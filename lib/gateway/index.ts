/** Gateway to the API server: shared caches with identity and authorization, and a proxy for everything else. */
export { startGateway, type Gateway, type GatewayOptions } from './gateway';
export { type ServingCertificate } from './server/gateway-listener';
export { type ResourceName } from './cache/discover-resource';
export { type ApiBudget, type ApiBudgets, type DefaultApiBudgets } from './flow-control/api-budget';
