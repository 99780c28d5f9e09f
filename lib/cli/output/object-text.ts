import { writeYaml } from '../../yaml';

/** Output format of objects. */
export type OutputFormat = 'yaml' | 'json';

/** Joins objects into one string: YAML documents, or one JSON `List`. */
export class ObjectText {
  private isFirst = true;

  constructor(private readonly format: OutputFormat) {}

  /** Returns the text that adds an object. */
  add(object: object): string {
    const prefix = this.isFirst ? this.head() : this.format === 'json' ? ',\n' : '---\n';
    this.isFirst = false;
    return prefix + (this.format === 'json' ? JSON.stringify(object) : writeYaml(object));
  }

  /** Returns the text after the last object. */
  end(): string {
    if (this.format === 'yaml') return '';
    return this.isFirst ? `${this.head().trimEnd()}]}\n` : '\n]}\n';
  }

  private head(): string {
    return this.format === 'json' ? '{"apiVersion":"v1","kind":"List","items":[\n' : '';
  }
}

/** Returns all objects of one file as text. */
export function textOf(objects: readonly object[], format: OutputFormat): string {
  const text = new ObjectText(format);
  return objects.map((object) => text.add(object)).join('') + text.end();
}
