import { celValue, evaluateCel, isError, valueAt, type FieldPath, type Problem, type Workload } from '../../api';
import { mountProblems } from './mount-problems';
import { tierOf } from '../pods/placement';
import { podSecurityProblems } from './pod-security';
import { listVariableValues, namespaceFacts, ruleVariables } from './rule-facts';
import { suggestValues, type RulePath } from './rule-paths';
import { sidecarProblems } from './sidecar-problems';
import { unsupportedFields } from './unsupported-fields';
import { type PlatformRule } from './platform-rule';
import { rulesOf } from './platform-rules';
import { type ProjectContext } from '../project-context';

/** Reports requirements of a workload that the platform does not meet. */
export function checkPlatformRules(
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  for (const rule of rulesOf(workload.kind)) checkRule(rule, workload, context, report);
  sidecarProblems(workload, context, report);
  mountProblems(workload, context, report);
  podSecurityProblems(workload, context, report);
  unsupportedFields(workload, context, report);
}

/**
 * Reports requirements of the valid fields of a workload, given with the problems of the others.
 *
 * Rules that read an invalid field are skipped, and so are those about whole pods.
 */
export function checkRulesOfValidFields(
  workload: Workload,
  problems: readonly Problem[],
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  const broken = problems.filter(isError).map(({ path }) => path.slice(1));
  const isBroken = (field: FieldPath) => broken.some((path) => isWithin(path, field) || isWithin(field, path));
  for (const rule of rulesOf(workload.kind)) {
    const fields = [rule.field, ...(rule.otherFields ?? []).map((field) => [field])];
    if (rule.readsTemplates !== true && !fields.some(isBroken)) checkRule(rule, workload, context, report);
  }
}

const isWithin = (path: FieldPath, other: FieldPath): boolean => other.every((step, index) => path[index] === step);

function checkRule(
  rule: PlatformRule,
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  if (rule.needsProject && context.assumed.includes('Project')) return;
  const value = valueAt(workload.spec, rule.field);
  if (value === undefined || (rule.readsTemplates ? isSatisfiedInTemplates : isSatisfied)(rule, workload, context))
    return;
  const { code, reason, remedy, name } = rule;
  const shownValue = typeof value === 'object' ? {} : { value };
  const found = rule.paths?.(workload.spec, context) ?? [];
  for (const rulePath of found.length > 0 ? found : [{ path: rule.field, ...shownValue }])
    report({ code, reason, remedy, ...overridesOf(rulePath), rule: name });
}

/** Returns the problem fields that a rule path overrides. */
const overridesOf = ({ path, value, offered, reason, remedy = offered && suggestValues(offered) }: RulePath) => ({
  path: ['spec', ...path],
  ...(value !== undefined && { value }),
  ...(reason !== undefined && { reason }),
  ...(remedy !== undefined && { remedy }),
});

/**
 * Maximum number of cached results per rule; the result depends only on the values of the fields that the rule reads.
 */
const maxCachedResults = 1000;

function isSatisfied(rule: PlatformRule, workload: Workload, context: ProjectContext): boolean {
  const spec = workload.spec as Readonly<Record<string, unknown>>;
  const values = Object.fromEntries(
    [...rule.field.slice(0, 1), ...(rule.otherFields ?? [])].map((name) => [name, spec[name]]),
  );
  const inputs = ruleInputsOf(context);
  let results = inputs.results.get(rule);
  if (!results) inputs.results.set(rule, (results = new Map<string, boolean>()));
  const key = JSON.stringify(values);
  let result = results.get(key);
  if (result === undefined) {
    result = evaluateRule(rule, values, inputs, inputs.variables);
    if (results.size < maxCachedResults) results.set(key, result);
  }
  return result;
}

function isSatisfiedInTemplates(rule: PlatformRule, workload: Workload, context: ProjectContext): boolean {
  const inputs = ruleInputsOf(context);
  const tier = tierOf(workload, context);
  return !inputs.strict.has(tier) || evaluateRule(rule, workload.spec, inputs, { ...inputs.facts, tier });
}

const evaluateRule = (
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
  const facts = { ...ruleVariables(context), ...listVariableValues(context) };
  return {
    params: celValue(context.platform),
    namespaceObject: celValue(namespaceFacts(context)),
    facts,
    variables: celValue(facts),
    strict: new Set(facts.strictTiers),
    results: new Map<PlatformRule, Map<string, boolean>>(),
  };
}
