import { workloadKinds, type WorkloadKind } from '../../api';
import { kindExpanders } from '../kinds/kind-expanders';
import { commonRules } from './common-rules';
import { type PlatformRule } from './platform-rule';

const kinds = Object.keys(workloadKinds) as WorkloadKind[];

const byKind = new Map<WorkloadKind, readonly PlatformRule[]>(
  kinds.map((kind) => [kind, [...commonRules, ...(kindExpanders[kind].rules as readonly PlatformRule[])]]),
);

/** Lists the platform rules of a kind. */
export const rulesOf = (kind: WorkloadKind): readonly PlatformRule[] => byKind.get(kind) ?? [];

/** All platform rules. */
export const platformRules: readonly PlatformRule[] = [...new Set(kinds.flatMap(rulesOf))];
