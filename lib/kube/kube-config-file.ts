import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import { type FieldPath, type Problem, type ProblemCode } from '../api';
import { fileText, type TextSource } from './connection-settings';

/** A mapping of a kubeconfig, with the means to say what is wrong with it. */
export class ConfigNode {
  constructor(
    /** File that it stands in. */
    readonly file: string,
    private readonly path: FieldPath,
    private readonly value: Readonly<Record<string, unknown>>,
    private readonly problems: Problem[],
  ) {}

  /** Notes a problem about a field; values are shown only where the caller gives them, for many are secret. */
  refuse(field: string, code: ProblemCode, reason: string, remedy: string, value?: string): void {
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

  /** Whether a field is set to something. */
  has(field: string): boolean {
    const value = this.value[field];
    return value !== undefined && value !== null && value !== '';
  }

  /** A text; undefined where it is not set or empty. */
  text(field: string): string | undefined {
    if (!this.has(field)) return undefined;
    const value = this.value[field];
    if (typeof value === 'string') return value;
    this.refuse(field, 'wrong-type', 'it must be a text', 'put it in quotes');
    return undefined;
  }

  /** True or false; false where it is not set. */
  flag(field: string): boolean {
    const value = this.value[field] ?? false;
    if (typeof value === 'boolean') return value;
    this.refuse(field, 'wrong-type', 'it must be true or false', 'write true or false, without quotes');
    return false;
  }

  /** A list of texts; empty where it is not set. */
  texts(field: string): readonly string[] {
    const value = this.value[field] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.refuse(field, 'wrong-type', 'it must be a list of texts', 'write each entry as a text of its own');
    return [];
  }

  /** A mapping; undefined where it is not set. */
  node(field: string): ConfigNode | undefined {
    if (!this.has(field)) return undefined;
    const value = this.value[field];
    if (isMapping(value)) return new ConfigNode(this.file, [...this.path, field], value, this.problems);
    this.refuse(field, 'wrong-type', 'it must be a mapping', 'write its fields below it');
    return undefined;
  }

  /** A list of mappings; empty where it is not set. */
  nodes(field: string): readonly ConfigNode[] {
    const value = this.value[field] ?? [];
    if (Array.isArray(value) && value.every(isMapping)) {
      return value.map((item, at) => new ConfigNode(this.file, [...this.path, field, at], item, this.problems));
    }
    this.refuse(field, 'wrong-type', 'it must be a list of mappings', 'write each entry as "- name: ..."');
    return [];
  }

  /** Names of the fields. */
  get fields(): readonly string[] {
    return Object.keys(this.value);
  }
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the kubeconfig files that are there; what is wrong with them is added to the problems. */
export function readConfigFiles(files: readonly string[], problems: Problem[]): readonly ConfigNode[] {
  const present = files.filter((file) => existsSync(file));
  if (present.length === 0) {
    problems.push({
      code: 'required',
      path: [],
      object: files.join(', '),
      reason: 'there is no kubeconfig',
      remedy: 'name one that exists, in KUBECONFIG or on the command line',
    });
  }
  return present.flatMap((file) => {
    try {
      const value = load(readFileSync(file, 'utf8')) ?? {};
      if (isMapping(value)) return [new ConfigNode(file, [], value, problems)];
      problems.push(unreadable(file, 'it is no mapping'));
    } catch (error) {
      // The parser's whole message quotes lines, and those may hold a secret.
      const { reason, code } = error as { readonly reason?: string; readonly code?: string };
      problems.push(unreadable(file, reason ?? `it cannot be read${code ? ` (${code})` : ''}`));
    }
    return [];
  });
}

const unreadable = (file: string, reason: string): Problem => ({
  code: 'unreadable',
  object: file,
  path: [],
  reason,
  remedy: 'compare it with what "kubectl config view" prints',
});

/** A PEM text from `<field>-data` (base64), which wins, or from the file that `<field>` names. */
export function textOrFile(node: ConfigNode, field: string): TextSource | undefined {
  const data = node.text(`${field}-data`);
  if (data !== undefined) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    if (!text.includes('-----BEGIN ')) {
      const remedy = 'encode the whole PEM file, its BEGIN and END lines included';
      node.refuse(`${field}-data`, 'bad-format', 'it is not PEM in base64', remedy);
    }
    return () => text;
  }
  const path = node.text(field);
  return path === undefined ? undefined : namedFile(node, field, path);
}

/** The text of a file that a kubeconfig names, meant from where the kubeconfig stands. */
export function namedFile(node: ConfigNode, field: string, path: string): TextSource {
  const source = fileText(resolve(dirname(node.file), path));
  try {
    source(0);
  } catch {
    node.refuse(field, 'unknown-reference', 'the file cannot be read', 'name one that is there', path);
  }
  return source;
}
