import { celValue, evaluateCel, valueAt, type Problem, type Workload } from '../../api';
import { mountProblems } from './mount-problems';
import { tierOf } from '../pods/placement';
import { podSecurityProblems } from './pod-security';
import { namespaceFacts, ruleVariables } from './rule-facts';
import { offerOf, type RulePath } from './rule-paths';
import { sidecarProblems } from './sidecar-problems';
import { unsupportedFields } from './unsupported-fields';
import { type PlatformRule } from './platform-rule';
import { rulesOf } from './platform-rules';
import { type ProjectContext } from '../project-context';

/** Reports requirements of a workload that the platform does not fulfill. */
export function checkPlatformRules(
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  for (const rule of rulesOf(workload.kind)) {
    const value = valueAt(workload.spec, rule.field);
    if (value === undefined || (rule.aboutTemplates ? keepsInTemplates : keeps)(rule, workload, context)) continue;
    const { code, reason, remedy, name } = rule;
    const shown = typeof value === 'object' ? {} : { value };
    const found = rule.paths?.(workload.spec, context) ?? [];
    for (const place of found.length > 0 ? found : [{ path: rule.field, ...shown }]) {
      report({ code, reason, remedy, ...overridesOf(place), rule: name });
    }
  }
  sidecarProblems(workload, context, report);
  mountProblems(workload, context, report);
  podSecurityProblems(workload, context, report);
  unsupportedFields(workload, context, report);
}

/** Returns the problem fields that a path overrides; the rule sets the others. */
const overridesOf = ({ path, value, offered, reason, remedy = offered && offerOf(offered) }: RulePath) => ({
  path: ['spec', ...path],
  ...(value !== undefined && { value }),
  ...(reason !== undefined && { reason }),
  ...(remedy !== undefined && { remedy }),
});

/**
 * Maximum number of cached results per rule: workloads with equal values in the fields of a rule have equal results.
 */
const maxVerdicts = 1000;

function keeps(rule: PlatformRule, workload: Workload, context: ProjectContext): boolean {
  const spec = workload.spec as Readonly<Record<string, unknown>>;
  const values = Object.fromEntries(
    [...rule.field.slice(0, 1), ...(rule.beside ?? [])].map((name) => [name, spec[name]]),
  );
  const inputs = ruleInputsOf(context);
  let verdicts = inputs.verdicts.get(rule);
  if (!verdicts) inputs.verdicts.set(rule, (verdicts = new Map<string, boolean>()));
  const key = JSON.stringify(values);
  let verdict = verdicts.get(key);
  if (verdict === undefined) {
    verdict = holds(rule, values, inputs, inputs.variables);
    if (verdicts.size < maxVerdicts) verdicts.set(key, verdict);
  }
  return verdict;
}

function keepsInTemplates(rule: PlatformRule, workload: Workload, context: ProjectContext): boolean {
  const inputs = ruleInputsOf(context);
  const tier = tierOf(workload, context);
  return !inputs.strict.has(tier) || holds(rule, workload.spec, inputs, { ...inputs.facts, tier });
}

const holds = (
  rule: PlatformRule,
  spec: unknown,
  { params, namespaceObject }: RuleInputs,
  variables: unknown,
): boolean => evaluateCel(rule.cel, { object: { spec }, params, namespaceObject, variables }) === true;

type RuleInputs = ReturnType<typeof makeRuleInputs>;

const ruleInputs = new WeakMap<ProjectContext, RuleInputs>();
function ruleInputsOf(context: ProjectContext): RuleInputs {
  let inputs = ruleInputs.get(context);
  if (!inputs) ruleInputs.set(context, (inputs = makeRuleInputs(context)));
  return inputs;
}

function makeRuleInputs(context: ProjectContext) {
  const facts = ruleVariables(context);
  return {
    params: celValue(context.platform),
    namespaceObject: celValue(namespaceFacts(context)),
    facts,
    variables: celValue(facts),
    strict: new Set(facts.strictTiers),
    verdicts: new Map<PlatformRule, Map<string, boolean>>(),
  };
}
