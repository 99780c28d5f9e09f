/** Quotas from history: peak usage, proposals, reviews, forecasts, and alerts in business hours. */

// History: daily peaks, from a file, the sampler's store or Prometheus.
export { safeParseUsage, usageInput, type UsageResult, type UsageInput } from './usage-file';
export { joinUsage, type DayUsage, type Usage } from './usage';

// Proposal: the peak plus a fifth, with safeguards.
export { propose, type Proposal, type ProposalInput } from './propose';
export {
  defaultFactor,
  type Basis,
  type ProjectRequests,
  type ProposalOptions,
  type ProposedValue,
} from './propose-value';
export { apiBudgetOf, apiBudgetUsage, proposeApiBudgets, type ApiBudgetProposalInput } from './api-budget-proposal';
export { sensibly } from './sensible-quantity';

// Review: effects of a change on headroom, capacity and cost.
export { review, type Review, type ReviewedTotal, type ReviewedValue, type ReviewInput } from './review';
export { allocatableOf } from './capacity-of-nodes';
export { safeParsePriceList, type PriceList, type PriceListInput } from './price-list';

// Quota monitor: levels, forecasts, and notices to owners.
export { forecastQuota, type ExhaustionForecast, type Outlook } from './forecast-quota';
export { levelOf, type Level, type Thresholds } from './level';
export { type BusinessHours } from './business-hours';
export {
  dayAt,
  evaluateProject,
  type AlertStates,
  type ProjectEvaluation,
  type ProjectSnapshot,
} from './evaluate-project';
export { type Message, type Owner } from './message';
export { alertmanagerSender, webhookSender, type Receiver, type Sender } from './senders';

// Cluster state: stored histories, and quotas in force. The quota monitor itself is a program, `main.ts`.
export { historiesIn, usageSelector } from './config-map-store';
export { quotasInForce, type QuotaInForce } from './quotas-in-force';

// Prometheus: daily peaks by range queries.
export { prometheusUsage, type PrometheusOptions } from './prometheus-usage';
export { ExternalRequestError, fetchText, type ExternalRequest } from './fetch-text';
