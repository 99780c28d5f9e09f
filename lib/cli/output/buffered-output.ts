import { type KubernetesObject } from '../../expand';
import { type Io } from '../io/io';
import { ObjectText, type OutputFormat } from './object-text';

/** Characters that are held back at most while it is not yet known whether all inputs are right. */
const maxHeld = 64 * 1024 * 1024;
/** Characters of one write. */
const pieceLength = 65_536;

/** Text for standard output, held back until it is known that nothing is wrong. */
export class BufferedOutput {
  private pieces: string[] = [];
  private piece = '';
  private length = 0;
  private readonly text: ObjectText;

  constructor(
    private readonly io: Io,
    format: OutputFormat,
  ) {
    this.text = new ObjectText(format);
  }

  /** Buffers the text of objects; returns false without buffering if the buffer is full. */
  hold(objects: readonly KubernetesObject[]): boolean {
    if (this.length > maxHeld) return false;
    for (const object of objects) this.append(object);
    return true;
  }

  /** Writes what is held. */
  async release(): Promise<void> {
    const { pieces } = this;
    this.pieces = [];
    for (const piece of pieces) await this.io.write(piece);
  }

  /** Writes objects after what is held. */
  async write(objects: readonly KubernetesObject[]): Promise<void> {
    for (const object of objects) this.append(object);
    if (this.pieces.length > 0) await this.release();
  }

  /** Writes what is left and the end. */
  async end(): Promise<void> {
    this.pieces.push(this.piece + this.text.end());
    this.piece = '';
    await this.release();
  }

  private append(object: KubernetesObject): void {
    const text = this.text.add(object);
    this.length += text.length;
    this.piece += text;
    if (this.piece.length < pieceLength) return;
    this.pieces.push(this.piece);
    this.piece = '';
  }
}
