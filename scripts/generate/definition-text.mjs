/** Maximum length of a line that holds a whole value; longer values have a line for each entry. */
const lineWidth = 120;
/** Minimum length in characters of a repeated value that is written once and referred to by an alias. */
const minRepeatedLength = 500;

const plain = /^[A-Za-z][\w./-]*$/;
const reservedWord = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

/** Keywords of schemas whose values are named after the field that they describe. */
const keywords = new Set(['properties', 'items', 'additionalProperties']);

const isCollection = (value) => typeof value === 'object' && value !== null;

function scalar(value) {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (plain.test(value) && !reservedWord.test(value)) return value;
  // Rules contain double quotes, and patterns backslashes.
  return /["\\]/.test(value) && !/\p{C}/u.test(value) ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}

/** Returns a value on one line. */
function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isCollection(value)) return scalar(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${scalar(key)}: ${inline(member)}`)
    .join(', ')}}`;
}

/** Returns how often each long field of a value occurs, without those inside of a repetition. */
function countLongFields(value, counts = new Map()) {
  for (const member of Object.values(value).filter(isCollection)) {
    const text = inline(member);
    if (!Array.isArray(value) && text.length >= minRepeatedLength) {
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      if (count > 1) continue;
    }
    countLongFields(member, counts);
  }
  return counts;
}

class DefinitionWriter {
  #counts;
  #anchors = new Map();
  #names = new Set();

  constructor(definition) {
    this.#counts = countLongFields(definition);
  }

  /** Returns the lines of a collection that describes a field, or is within its description. */
  lines(value, indent = '', field = '') {
    if (!Array.isArray(value))
      return Object.entries(value)
        .map((entry) => this.#entry(entry, indent, field))
        .join('');
    return value
      .map((item) => {
        const line = `${indent}- ${inline(item)}`;
        if (!isCollection(item) || line.length <= lineWidth) return `${line}\n`;
        return `${indent}- ${this.lines(item, `${indent}  `, field).slice(indent.length + 2)}`;
      })
      .join('');
  }

  #entry([key, value], indent, field) {
    const text = inline(value);
    const head = `${indent}${scalar(key)}:`;
    const line = `${head} ${text}`;
    if (!isCollection(value) || line.length <= lineWidth) return `${line}\n`;
    const known = this.#anchors.get(text);
    if (known !== undefined) return `${head} *${known}\n`;
    const name = keywords.has(key) ? field : key;
    const anchor = this.#counts.get(text) > 1 ? ` &${this.#anchor(name, text)}` : '';
    return `${head}${anchor}\n${this.lines(value, Array.isArray(value) ? indent : `${indent}  `, name)}`;
  }

  /** Names a repeated value after the first field that has it. */
  #anchor(field, text) {
    let name = field;
    for (let number = 2; this.#names.has(name); number++) name = `${field}${number}`;
    this.#names.add(name);
    this.#anchors.set(text, name);
    return name;
  }
}

/**
 * Returns a definition as YAML: short values on one line, and each long value that is repeated, such as a pod template,
 * once, with an anchor.
 */
export const definitionText = (definition) => new DefinitionWriter(definition).lines(definition);
