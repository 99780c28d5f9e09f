/** Parts of comments that are the same for several workloads of an import, so that only the first comment has them. */
export class SaidParts {
  /** Workload whose comment has a part, by part. */
  readonly #workloads = new Map<string, string>();

  /**
   * Returns a text without a part that an earlier comment has: a sentence is omitted, and anything else is replaced by the
   * workload of that comment.
   */
  withoutSaid(text: string, part: string, workload: string): string {
    if (!text.includes(part)) return text;
    const first = this.#workloads.get(part);
    if (first === undefined) {
      this.#workloads.set(part, workload);
      return text;
    }
    const reference = first === workload ? ' (see above)' : ` (see ${first} above)`;
    return text.replace(part, () => (part.startsWith(' ') ? '' : reference));
  }
}
