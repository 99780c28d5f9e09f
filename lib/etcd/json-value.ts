import { JsonScan } from './json-scan';
import { isText, lastAppliedKey, Stretch, type ValueFacts } from './value-facts';

const word = (text: string): Uint8Array => Buffer.from(text);
const words = {
  apiVersion: word('apiVersion'),
  kind: word('kind'),
  metadata: word('metadata'),
  status: word('status'),
  annotations: word('annotations'),
  managedFields: word('managedFields'),
  ownerReferences: word('ownerReferences'),
  manager: word('manager'),
  subresource: word('subresource'),
  time: word('time'),
  name: word('name'),
  controller: word('controller'),
} as const;

/** Reads what Kubernetes stores as JSON: custom resources. */
export class JsonValue {
  private readonly scan = new JsonScan();
  private readonly first = new Stretch();
  private readonly second = new Stretch();
  private readonly third = new Stretch();

  read(bytes: Uint8Array, from: number, to: number, facts: ValueFacts): void {
    const { scan } = this;
    scan.open(bytes, from, to);
    if (!scan.enter()) return;
    while (scan.member()) {
      const begins = scan.name.from - 1;
      if (this.is(words.kind)) scan.text(facts.kind);
      else if (this.is(words.apiVersion)) scan.text(facts.apiVersion);
      else if (this.is(words.metadata) && scan.enter()) this.metadata(facts);
      else if (this.is(words.status)) {
        scan.skip();
        facts.status = scan.at - begins;
      } else scan.skip();
    }
  }

  private is(text: Uint8Array): boolean {
    return isText(this.scan.bytes, this.scan.name.from, this.scan.name.to, text);
  }

  private metadata(facts: ValueFacts): void {
    const { scan } = this;
    while (scan.member()) {
      const begins = scan.name.from - 1;
      if (this.is(words.managedFields) && scan.enter()) {
        while (scan.item())
          if (scan.enter()) this.manager(facts);
          else scan.skip();
        facts.managedFields = scan.at - begins;
      } else if (this.is(words.ownerReferences) && scan.enter()) {
        while (scan.item())
          if (scan.enter()) this.owner(facts);
          else scan.skip();
      } else if (this.is(words.annotations) && scan.enter()) this.annotations(facts);
      else scan.skip();
    }
  }

  private annotations(facts: ValueFacts): void {
    const { scan } = this;
    while (scan.member()) {
      const begins = scan.name.from - 1;
      const isCopy = this.is(lastAppliedKey);
      scan.skip();
      if (isCopy) facts.lastApplied = scan.at - begins;
    }
  }

  private manager(facts: ValueFacts): void {
    const { scan, first: manager, second: subresource, third: time } = this;
    for (const stretch of [manager, subresource, time]) stretch.set(0, 0);
    while (scan.member()) {
      if (this.is(words.manager)) scan.text(manager);
      else if (this.is(words.subresource)) scan.text(subresource);
      else if (this.is(words.time)) scan.text(time);
      else scan.skip();
    }
    facts.wrote(secondsOf(scan.bytes, time), manager, subresource);
  }

  private owner(facts: ValueFacts): void {
    const { scan, first: kind, second: name } = this;
    let controls = false;
    kind.set(0, 0);
    name.set(0, 0);
    while (scan.member()) {
      if (this.is(words.kind)) scan.text(kind);
      else if (this.is(words.name)) scan.text(name);
      else if (this.is(words.controller)) {
        controls = scan.bytes[scan.at] === 0x74;
        scan.skip();
      } else scan.skip();
    }
    facts.ownedBy(kind, name, controls);
  }
}

/** Seconds of a time such as 2026-01-02T03:04:05Z, as the API server writes them; 0 for anything else. */
function secondsOf(bytes: Uint8Array, { from, to }: Stretch): number {
  if (to - from < 20) return 0;
  const digits = (at: number, count: number): number => {
    let value = 0;
    for (let index = from + at; index < from + at + count; index++)
      value = value * 10 + ((bytes[index] as number) - 0x30);
    return value;
  };
  const day = Date.UTC(digits(0, 4), digits(5, 2) - 1, digits(8, 2)) / 1000;
  const seconds = day + digits(11, 2) * 3600 + digits(14, 2) * 60 + digits(17, 2);
  return Number.isFinite(seconds) ? seconds : 0;
}
