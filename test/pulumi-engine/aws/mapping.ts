import { type z } from 'zod';
import { type Values } from '../cloud';
import { type Aws } from './aws';

/** How one type of the provider is made, found, changed and ended by calls to AWS. */
export interface Mapping<Shape extends z.ZodObject = z.ZodObject> {
  /** Every input that is known, in parts too; any other is refused. */
  readonly shape: Shape;
  /** Inputs that a resource keeps for its whole life. @default - none */
  readonly fixed?: readonly (keyof z.output<Shape> & string)[];
  /** Outputs that a change makes anew, so that a preview does not know them. @default - none */
  readonly renewed?: readonly string[];
  /** Inputs that the emulation takes and does not tell again, each with the reason; they are remembered. @default - none */
  readonly remembered?: Readonly<Partial<Record<keyof z.output<Shape> & string, string>>>;
  /** Makes it; the id by which the engine knows it. */
  create(aws: Aws, inputs: z.output<Shape>): Promise<string>;
  /** What AWS says of it, in fields of the provider; undefined where it is gone. `known` is what it was last. */
  read(aws: Aws, id: string, known: z.output<Shape>): Promise<Values | undefined>;
  /** Changes it. @default - nothing of it can be changed */
  update?(aws: Aws, id: string, inputs: z.output<Shape>, before: z.output<Shape>): Promise<void>;
  delete(aws: Aws, id: string, known: z.output<Shape>): Promise<void>;
}

/** A mapping whose inputs are of the type of its shape. */
export const mapping = <Shape extends z.ZodObject>(one: Mapping<Shape>): Mapping => one as unknown as Mapping;
