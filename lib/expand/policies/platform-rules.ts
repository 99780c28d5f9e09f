import { workloadKinds, type WorkloadKind } from '../../api';
import { kindExpanders } from '../kinds/kind-expanders';
import { commonRules } from './common-rules';
import { gatewayRules } from './gateway/gateway-rules';
import { type PlatformRule } from './platform-rule';

const byKind = new Map<WorkloadKind, readonly PlatformRule[]>();

/** Lists the platform rules for a kind. */
export function rulesOf(kind: WorkloadKind): readonly PlatformRule[] {
  const cached = byKind.get(kind);
  if (cached) return cached;
  const rules = [...commonRules, ...gatewayRules, ...(kindExpanders[kind].rules as readonly PlatformRule[])];
  byKind.set(kind, rules);
  return rules;
}

/** Lists all platform rules. */
export const listPlatformRules = (): readonly PlatformRule[] => [
  ...new Set((Object.keys(workloadKinds) as WorkloadKind[]).flatMap(rulesOf)),
];
