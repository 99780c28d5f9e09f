import { admissionCases } from './admission-cases';
import { apiServerCases } from './api-server-cases';
import { clientCases } from './client-cases';
import { etcdCases } from './etcd-cases';
import { gatewayCases } from './gateway-cases';
import { listCases } from './list-cases';
import { controllerCases, platformCases, workloadCases } from './pinion-cases';
import { rolloutCases } from './rollout-cases';
import { type RuleCase } from './rule-case';

/** Returns a case for every state of every alert. */
export const ruleCases: readonly RuleCase[] = [
  ...apiServerCases,
  ...admissionCases,
  ...listCases,
  ...etcdCases,
  ...controllerCases,
  ...workloadCases,
  ...rolloutCases,
  ...platformCases,
  ...clientCases,
  ...gatewayCases,
];
