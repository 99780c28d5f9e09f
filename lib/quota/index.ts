/** Quotas from history: peak usage, proposals, reviews, forecasts, and alerts in business hours. */

// History: daily peaks, from a file, the sampler's store or Prometheus.
export { examineUsage, usageInput, type ExaminedUsage, type UsageInput } from './usage-file';
export { joinUsage, type DayUsage, type Usage } from './usage';
export { type Amounts } from './amounts';

// Proposal: the peak and a fifth more, with guards.
export {
  propose,
  usualFactor,
  type Basis,
  type Present,
  type Proposal,
  type ProposalInput,
  type ProposalOptions,
  type ProposedValue,
} from './propose';
export { promisedBy } from './promised';

// Review: what a change means for head-room, the cluster and the bill.
export { review, type Review, type ReviewedTotal, type ReviewedValue, type ReviewInput } from './review';
export { allocatableOf } from './capacity-of-nodes';
export { examinePrices, type PriceList, type PriceListInput } from './price-list';
