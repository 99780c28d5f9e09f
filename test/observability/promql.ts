/** A selector of an expression. */
export interface Selector {
  readonly metric: string;
  /** Label names of its matchers. */
  readonly labels: readonly string[];
}

/** Metric and label names of an expression. */
export interface Named {
  readonly selectors: readonly Selector[];
  /** Labels of by, without, on, ignoring, group_left and group_right. */
  readonly groupings: readonly string[];
}

const word = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const text = /^"(?:[^"\\]|\\.)*"/;
const grouping = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const plain = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

/** Parses the names in a PromQL expression; promtool checks its validity. */
export function namesIn(expression: string): Named {
  const selectors: Selector[] = [];
  const groupings: string[] = [];
  let rest = expression;
  const skip = (): void => void (rest = rest.trimStart());
  const eat = (pattern: RegExp): string | undefined => {
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined) return undefined;
    rest = rest.slice(found.length);
    return found;
  };
  const labelsIn = (end: string): string[] => {
    const labels: string[] = [];
    for (skip(); rest !== '' && !rest.startsWith(end); skip()) {
      const label = eat(word);
      if (label !== undefined) labels.push(label);
      else if (eat(text) === undefined) rest = rest.slice(1);
    }
    rest = rest.slice(1);
    return labels;
  };
  for (skip(); rest !== ''; skip()) {
    const found = eat(word);
    if (found === undefined) {
      // Ranges such as [5m], numbers such as 50e6, and operators are not names.
      if (eat(/^\[[^\]]*\]/) === undefined && eat(/^[0-9][0-9a-zA-Z.]*/) === undefined && eat(text) === undefined)
        rest = rest.slice(1);
      continue;
    }
    skip();
    if (grouping.has(found)) {
      if (rest.startsWith('(')) {
        rest = rest.slice(1);
        groupings.push(...labelsIn(')'));
      }
    } else if (rest.startsWith('{')) {
      rest = rest.slice(1);
      selectors.push({ metric: found, labels: labelsIn('}') });
    } else if (!plain.has(found.toLowerCase()) && !isFunction(found, rest))
      selectors.push({ metric: found, labels: [] });
  }
  return { selectors, groupings };
}

/** A name before a bracket, or before the `by (…)` of an aggregation, is not a metric. */
const isFunction = (_name: string, rest: string): boolean => /^(\(|(by|without)\b)/.test(rest);
