/** Bounded histories of a cluster: daily records in ConfigMaps, and those of the clients of the API server. */
export { type HistoryFormat } from './history-format';
export {
  ConfigMapHistory,
  historiesOf,
  historySelector,
  type HistoryWriter,
  type StoredHistories,
} from './config-map-history';

// Clients of the API server.
export { clientHistory } from './client-history-format';
export {
  addClientSums,
  clientUseKey,
  emptyShare,
  largerBudgetUse,
  largestBudgets,
  largestUses,
  maxShareEntries,
  otherClient,
  sumOfShares,
  zeroClientSum,
  type BudgetUse,
  type ClientDay,
  type ClientShare,
  type ClientSum,
  type ClientUse,
  type ClientUseName,
  type ClientViolation,
} from './client-day';
export { summarizeClients, type ClientSummary, type ClientTrend, type ProjectClients } from './client-summary';
