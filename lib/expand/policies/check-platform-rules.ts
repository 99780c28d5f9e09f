import { celValue, evaluateCel, valueAt, type Problem, type Workload } from '../../api';
import { mountProblems } from './mount-problems';
import { tierOf } from '../pods/placement';
import { podSecurityProblems } from './pod-security';
import { namespaceFacts, ruleVariables } from './rule-facts';
import { offerOf, type RulePlace } from './rule-paths';
import { sidecarProblems } from './sidecar-problems';
import { unsupportedFields } from './unsupported-fields';
import { rulesOf, type WorldRule } from './platform-rules';
import { type ProjectContext } from '../project-context';

/** Reports what a workload asks for and its world does not offer. */
export function checkPlatformRules(
  workload: Workload,
  world: ProjectContext,
  report: (problem: Problem) => void,
): void {
  for (const rule of rulesOf(workload.kind)) {
    const value = valueAt(workload.spec, rule.field);
    if (value === undefined || (rule.aboutTemplates ? keepsInTemplates : keeps)(rule, workload, world)) continue;
    const { code, reason, remedy, name } = rule;
    const shown = typeof value === 'object' ? {} : { value };
    const found = rule.places?.(workload.spec, world) ?? [];
    for (const place of found.length > 0 ? found : [{ path: rule.field, ...shown }]) {
      report({ code, reason, remedy, ...toldOf(place), rule: name });
    }
  }
  sidecarProblems(workload, world, report);
  mountProblems(workload, world, report);
  podSecurityProblems(workload, world, report);
  unsupportedFields(workload, world, report);
}

/** What a place says itself; the rest is said by its rule. */
const toldOf = ({ path, value, offered, reason, remedy = offered && offerOf(offered) }: RulePlace) => ({
  path: ['spec', ...path],
  ...(value !== undefined && { value }),
  ...(reason !== undefined && { reason }),
  ...(remedy !== undefined && { remedy }),
});

/** Many workloads say the same about the fields of a rule; equal values of them have equal verdicts, of which so many are kept per rule. */
const maxVerdicts = 1000;

function keeps(rule: WorldRule, workload: Workload, world: ProjectContext): boolean {
  const spec = workload.spec as Readonly<Record<string, unknown>>;
  const said = Object.fromEntries(
    [...rule.field.slice(0, 1), ...(rule.beside ?? [])].map((name) => [name, spec[name]]),
  );
  const context = contextOf(world);
  let verdicts = context.verdicts.get(rule);
  if (!verdicts) context.verdicts.set(rule, (verdicts = new Map<string, boolean>()));
  const key = JSON.stringify(said);
  let verdict = verdicts.get(key);
  if (verdict === undefined) {
    verdict = holds(rule, said, context, context.variables);
    if (verdicts.size < maxVerdicts) verdicts.set(key, verdict);
  }
  return verdict;
}

function keepsInTemplates(rule: WorldRule, workload: Workload, world: ProjectContext): boolean {
  const context = contextOf(world);
  const tier = tierOf(workload, world);
  return !context.strict.has(tier) || holds(rule, workload.spec, context, { ...context.facts, tier });
}

const holds = (rule: WorldRule, spec: unknown, { params, namespaceObject }: Context, variables: unknown): boolean =>
  evaluateCel(rule.cel, { object: { spec }, params, namespaceObject, variables }) === true;

type Context = ReturnType<typeof makeContext>;

const contexts = new WeakMap<ProjectContext, Context>();
function contextOf(world: ProjectContext): Context {
  let context = contexts.get(world);
  if (!context) contexts.set(world, (context = makeContext(world)));
  return context;
}

function makeContext(world: ProjectContext) {
  const facts = ruleVariables(world);
  return {
    params: celValue(world.platform),
    namespaceObject: celValue(namespaceFacts(world)),
    facts,
    variables: celValue(facts),
    strict: new Set(facts.strictTiers),
    verdicts: new Map<WorldRule, Map<string, boolean>>(),
  };
}
