import { type z } from 'zod';
import { type Values } from '../cloud';
import { type Aws } from './aws';

/** Implements one resource type of the provider with calls to AWS. */
export interface Mapping<Shape extends z.ZodObject = z.ZodObject> {
  /** Schema of all known inputs, including nested ones; others are rejected. */
  readonly shape: Shape;
  /** Inputs whose change replaces the resource. @default - none */
  readonly immutable?: readonly (keyof z.output<Shape> & string)[];
  /** Outputs that an update recomputes, so that they are unknown in a preview. @default - none */
  readonly recomputed?: readonly string[];
  /** Inputs that the emulation accepts but does not return, each with the reason; they are cached. @default - none */
  readonly dropped?: Readonly<Partial<Record<keyof z.output<Shape> & string, string>>>;
  /** Creates the resource; returns its ID for the engine. */
  create(aws: Aws, inputs: z.output<Shape>): Promise<string>;
  /** Reads the resource, in fields of the provider; undefined if it does not exist. `known` is its last state. */
  read(aws: Aws, id: string, known: z.output<Shape>): Promise<Values | undefined>;
  /** Updates the resource. @default - it cannot be updated */
  update?(aws: Aws, id: string, inputs: z.output<Shape>, before: z.output<Shape>): Promise<void>;
  delete(aws: Aws, id: string, known: z.output<Shape>): Promise<void>;
}

/** Returns a mapping whose inputs have the type of its schema. */
export const mapping = <Shape extends z.ZodObject>(one: Mapping<Shape>): Mapping => one as unknown as Mapping;
