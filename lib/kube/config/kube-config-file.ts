import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import { type FieldPath, type Problem, type ProblemCode } from '../../api';
import { fileText, type TextSource } from './connection-settings';

/** Mapping in a kubeconfig file; reads its fields and reports problems. */
export class ConfigNode {
  constructor(
    /** Path of the file. */
    readonly file: string,
    private readonly path: FieldPath,
    private readonly value: Readonly<Record<string, unknown>>,
    private readonly problems: Problem[],
  ) {}

  /** Reports a problem of a field; the value is shown only if the caller passes it, because many values are secret. */
  report(field: string, code: ProblemCode, reason: string, remedy: string, value?: string): void {
    const shown = value === undefined ? {} : { value };
    this.problems.push({
      code,
      object: this.file,
      path: [...this.path, ...field.split('.')],
      reason,
      remedy,
      ...shown,
    });
  }

  /** Returns whether a field is set and not empty. */
  has(field: string): boolean {
    const value = this.value[field];
    return value !== undefined && value !== null && value !== '';
  }

  /** Returns a string; undefined if it is not set or empty. */
  text(field: string): string | undefined {
    if (!this.has(field)) return undefined;
    const value = this.value[field];
    if (typeof value === 'string') return value;
    this.report(field, 'wrong-type', 'must be a string', 'put it in quotes');
    return undefined;
  }

  /** Returns a boolean. Defaults to false. */
  flag(field: string): boolean {
    const value = this.value[field] ?? false;
    if (typeof value === 'boolean') return value;
    this.report(field, 'wrong-type', 'must be a boolean', 'use true or false, without quotes');
    return false;
  }

  /** Returns a list of strings. Defaults to an empty list. */
  texts(field: string): readonly string[] {
    const value = this.value[field] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.report(field, 'wrong-type', 'must be a list of strings', 'write each entry as a string');
    return [];
  }

  /** Returns a mapping; undefined if it is not set. */
  node(field: string): ConfigNode | undefined {
    if (!this.has(field)) return undefined;
    const value = this.value[field];
    if (isMapping(value)) return new ConfigNode(this.file, [...this.path, field], value, this.problems);
    this.report(field, 'wrong-type', 'must be a mapping', 'indent its fields below it');
    return undefined;
  }

  /** Returns a list of mappings. Defaults to an empty list. */
  nodes(field: string): readonly ConfigNode[] {
    const value = this.value[field] ?? [];
    if (Array.isArray(value) && value.every(isMapping)) {
      return value.map((item, at) => new ConfigNode(this.file, [...this.path, field, at], item, this.problems));
    }
    this.report(field, 'wrong-type', 'must be a list of mappings', 'write each entry as "- name: ..."');
    return [];
  }

  /** Names of the fields. */
  get fields(): readonly string[] {
    return Object.keys(this.value);
  }
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the kubeconfig files that exist, and adds their problems. */
export function readConfigFiles(files: readonly string[], problems: Problem[]): readonly ConfigNode[] {
  const present = files.filter((file) => existsSync(file));
  if (present.length === 0) {
    problems.push({
      code: 'required',
      path: [],
      object: files.join(', '),
      reason: 'kubeconfig not found',
      remedy: 'set an existing file in KUBECONFIG or on the command line',
    });
  }
  return present.flatMap((file) => {
    try {
      const value = load(readFileSync(file, 'utf8')) ?? {};
      if (isMapping(value)) return [new ConfigNode(file, [], value, problems)];
      problems.push(unreadable(file, 'must be a mapping'));
    } catch (error) {
      // The parser's full message quotes lines, which may hold a secret.
      const { reason, code } = error as { readonly reason?: string; readonly code?: string };
      problems.push(unreadable(file, reason ?? `cannot be read${code ? ` (${code})` : ''}`));
    }
    return [];
  });
}

const unreadable = (file: string, reason: string): Problem => ({
  code: 'parse-error',
  object: file,
  path: [],
  reason,
  remedy: 'compare it with what "kubectl config view" prints',
});

/** Returns PEM from `<field>-data` (base64), which wins, or from the file of `<field>`. */
export function pemSource(node: ConfigNode, field: string): TextSource | undefined {
  const data = node.text(`${field}-data`);
  if (data !== undefined) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    if (!text.includes('-----BEGIN ')) {
      const remedy = 'encode the whole PEM file, including its BEGIN and END lines';
      node.report(`${field}-data`, 'bad-format', 'is not PEM in base64', remedy);
    }
    return () => text;
  }
  const path = node.text(field);
  return path === undefined ? undefined : referencedFile(node, field, path);
}

/** Returns the text of a file whose path is relative to the kubeconfig. */
export function referencedFile(node: ConfigNode, field: string, path: string): TextSource {
  const source = fileText(resolve(dirname(node.file), path));
  try {
    source(0);
  } catch {
    node.report(field, 'unknown-reference', 'cannot be read', 'use a readable file', path);
  }
  return source;
}
