import { type FieldPath, type Problem, type ProblemCode, type Source } from '../api';
import { keyMark, RemarkedScalar, TaggedNode } from './document-schema';
import { readPlainScalar } from './kubectl-scalar';

/** Maximum nesting of a document, with aliases expanded. */
export const maxDepth = 100;

/**
 * Maximum number of nodes, and of characters times sixteen, that all aliases of one input may add: a million nodes take
 * about 100 MB.
 */
const maxAliasNodes = 1_000_000;
const maxAliasCharacters = maxAliasNodes * 16;

/** Maximum errors, and maximum warnings, reported for one document's values: an alias can repeat one endlessly. */
const maxReports = 1000;

/** Remaining limits of aliases, shared by all documents of an input. */
export interface AliasBudget {
  nodes: number;
  characters: number;
}

/** Returns the full budget of one input. */
export const makeAliasBudget = (): AliasBudget => ({ nodes: maxAliasNodes, characters: maxAliasCharacters });

/** Thrown to stop at a document that exhausts its limits. */
class LimitExceeded extends Error {}

function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  // An assignment would change the prototype.
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/**
 * Copies a parsed document so that no two nodes share an object, replaces placeholders by values and reports problems.
 */
class Settler {
  readonly problems: Problem[] = [];
  private readonly reports = { error: 0, warning: 0 };
  private readonly path: (string | number)[] = [];
  nodes = 0;
  characters = 0;

  constructor(
    private readonly limits: AliasBudget,
    private readonly locate: (path: FieldPath) => Source,
  ) {}

  settle(value: unknown): unknown {
    if (++this.nodes > this.limits.nodes) throw new LimitExceeded('the aliases expand to more than a million nodes');
    if (typeof value === 'string') return this.settleText(value);
    if (value instanceof RemarkedScalar) return this.settleScalar(value);
    if (value instanceof TaggedNode) {
      this.report('bad-format', value.tag, 'custom tags are not supported', 'remove the tag');
      return null;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (this.path.length >= maxDepth) {
      throw new LimitExceeded(`with its aliases expanded, it is nested deeper than ${maxDepth} levels`);
    }
    if (Array.isArray(value)) return value.map((item, index) => this.settleAt(index, item));
    const copy: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      const name = key.startsWith(keyMark) ? this.settleKey(key.slice(keyMark.length), copy) : key;
      if (Object.hasOwn(copy, name)) this.reportDuplicateKey(name);
      setMember(copy, name, this.settleAt(name, member));
    }
    return copy;
  }

  private settleAt(step: string | number, value: unknown): unknown {
    this.path.push(step);
    const settled = this.settle(value);
    this.path.pop();
    return settled;
  }

  private settleText(text: string): string {
    this.characters += text.length;
    if (this.characters > this.limits.characters) {
      throw new LimitExceeded('the aliases expand to more than 16 million characters');
    }
    if (/\p{Surrogate}/u.test(text)) {
      this.report('bad-format', text, 'it contains an unpaired surrogate', 'write the complete character');
    }
    return text;
  }

  private settleScalar({ text, reading }: RemarkedScalar): unknown {
    const { value, error, warning } = reading;
    if (error) {
      this.report(error.code, text, error.reason, 'write a number that JSON can hold, or quote it if it is text');
    } else if (warning) {
      const remedy = `quote it if it is text; otherwise write ${String(value)}`;
      this.report('bad-format', text, warning, remedy, 'warning');
    }
    return value;
  }

  /** Converts a key that is not a string, like kubectl's conversion to JSON. */
  private settleKey(text: string, mapping: Record<string, unknown>): string {
    const reading = readPlainScalar(text);
    const value = reading && !reading.error ? reading.value : null;
    this.path.push(String(reading ? reading.value : text));
    if (value === null) {
      this.report('bad-format', text, 'a key must be a string', 'quote the key');
    } else if (String(value) !== text && !Object.hasOwn(mapping, String(value))) {
      const reason = `unquoted, kubectl reads the key as "${String(value)}"`;
      this.report('bad-format', text, reason, 'quote the key', 'warning');
    }
    this.path.pop();
    return value === null ? text : String(value);
  }

  private reportDuplicateKey(name: string): void {
    this.path.push(name);
    this.report('duplicate', name, 'the key occurs twice in one mapping', 'keep one of the two');
    this.path.pop();
  }

  private report(
    code: ProblemCode,
    value: unknown,
    reason: string,
    remedy: string,
    severity: 'error' | 'warning' = 'error',
  ): void {
    if (++this.reports[severity] > maxReports) return;
    const path = [...this.path];
    this.problems.push({ code, path, value, reason, remedy, severity, source: this.locate(path) });
  }
}

/**
 * Converts a parsed document to plain JSON values and reports its problems. `size` is the length of its text: only what
 * aliases add is deducted from the budget.
 */
export function settleDocument(
  parsed: unknown,
  size: number,
  budget: AliasBudget,
  locate: (path: FieldPath) => Source,
): { readonly value: unknown; readonly problems: readonly Problem[] } {
  const settler = new Settler({ nodes: size + budget.nodes, characters: size + budget.characters }, locate);
  try {
    const value = settler.settle(parsed);
    budget.nodes -= Math.max(0, settler.nodes - size);
    budget.characters -= Math.max(0, settler.characters - size);
    return { value, problems: settler.problems };
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    const remedy = 'write the document with fewer aliases';
    const problem: Problem = { code: 'parse-error', path: [], reason: error.message, remedy, source: locate([]) };
    return { value: undefined, problems: [...settler.problems, problem] };
  }
}
