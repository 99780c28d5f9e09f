import { JsonScanner } from './json-scanner';
import { isText, lastAppliedKey, ByteRange, type ValueSummary } from './value-summary';

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const names = {
  apiVersion: bytesOf('apiVersion'),
  kind: bytesOf('kind'),
  metadata: bytesOf('metadata'),
  status: bytesOf('status'),
  annotations: bytesOf('annotations'),
  managedFields: bytesOf('managedFields'),
  ownerReferences: bytesOf('ownerReferences'),
  manager: bytesOf('manager'),
  subresource: bytesOf('subresource'),
  time: bytesOf('time'),
  name: bytesOf('name'),
  controller: bytesOf('controller'),
} as const;

/** Reads values that Kubernetes stores as JSON: custom resources. */
export class JsonValue {
  private readonly scan = new JsonScanner();
  private readonly first = new ByteRange();
  private readonly second = new ByteRange();
  private readonly third = new ByteRange();

  read(bytes: Uint8Array, from: number, to: number, summary: ValueSummary): void {
    const { scan } = this;
    scan.open(bytes, from, to);
    if (!scan.enter()) return;
    while (scan.member()) {
      const start = scan.name.from - 1;
      if (this.is(names.kind)) scan.text(summary.kind);
      else if (this.is(names.apiVersion)) scan.text(summary.apiVersion);
      else if (this.is(names.metadata) && scan.enter()) this.metadata(summary);
      else if (this.is(names.status)) {
        scan.skip();
        summary.status = scan.at - start;
      } else scan.skip();
    }
  }

  private is(text: Uint8Array): boolean {
    return isText(this.scan.bytes, this.scan.name.from, this.scan.name.to, text);
  }

  private metadata(summary: ValueSummary): void {
    const { scan } = this;
    while (scan.member()) {
      const start = scan.name.from - 1;
      if (this.is(names.managedFields) && scan.enter()) {
        while (scan.item())
          if (scan.enter()) this.manager(summary);
          else scan.skip();
        summary.managedFields = scan.at - start;
      } else if (this.is(names.ownerReferences) && scan.enter()) {
        while (scan.item())
          if (scan.enter()) this.owner(summary);
          else scan.skip();
      } else if (this.is(names.annotations) && scan.enter()) this.annotations(summary);
      else scan.skip();
    }
  }

  private annotations(summary: ValueSummary): void {
    const { scan } = this;
    while (scan.member()) {
      const start = scan.name.from - 1;
      const isCopy = this.is(lastAppliedKey);
      scan.skip();
      if (isCopy) summary.lastApplied = scan.at - start;
    }
  }

  private manager(summary: ValueSummary): void {
    const { scan, first: manager, second: subresource, third: time } = this;
    for (const range of [manager, subresource, time]) range.set(0, 0);
    while (scan.member()) {
      if (this.is(names.manager)) scan.text(manager);
      else if (this.is(names.subresource)) scan.text(subresource);
      else if (this.is(names.time)) scan.text(time);
      else scan.skip();
    }
    summary.addManager(secondsOf(scan.bytes, time), manager, subresource);
  }

  private owner(summary: ValueSummary): void {
    const { scan, first: kind, second: name } = this;
    let isController = false;
    kind.set(0, 0);
    name.set(0, 0);
    while (scan.member()) {
      if (this.is(names.kind)) scan.text(kind);
      else if (this.is(names.name)) scan.text(name);
      else if (this.is(names.controller)) {
        isController = scan.bytes[scan.at] === 0x74;
        scan.skip();
      } else scan.skip();
    }
    summary.addOwner(kind, name, isController);
  }
}

/** Returns the seconds of an RFC 3339 time in UTC, as the API server writes it; 0 for anything else. */
function secondsOf(bytes: Uint8Array, { from, to }: ByteRange): number {
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
