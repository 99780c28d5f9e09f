import { type KubernetesObject } from '../../expand';
import { type Io } from '../io/io';
import { ObjectText, type OutputFormat } from './object-text';

/** Maximum number of characters to buffer until all inputs are validated. */
const maxBufferedLength = 64 * 1024 * 1024;
/** Characters per write. */
const chunkLength = 65_536;

/** Text for standard output, buffered until all inputs are validated. */
export class BufferedOutput {
  private chunks: string[] = [];
  private chunk = '';
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
    if (this.length > maxBufferedLength) return false;
    for (const object of objects) this.append(object);
    return true;
  }

  /** Writes the buffered text. */
  async release(): Promise<void> {
    const { chunks } = this;
    this.chunks = [];
    for (const chunk of chunks) await this.io.write(chunk);
  }

  /** Writes objects after the buffered text. */
  async write(objects: readonly KubernetesObject[]): Promise<void> {
    for (const object of objects) this.append(object);
    if (this.chunks.length > 0) await this.release();
  }

  /** Writes the remaining text and the closing text. */
  async end(): Promise<void> {
    this.chunks.push(this.chunk + this.text.end());
    this.chunk = '';
    await this.release();
  }

  private append(object: KubernetesObject): void {
    const text = this.text.add(object);
    this.length += text.length;
    this.chunk += text;
    if (this.chunk.length < chunkLength) return;
    this.chunks.push(this.chunk);
    this.chunk = '';
  }
}
