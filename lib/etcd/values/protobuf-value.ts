import { isText, lastAppliedKey, ByteRange, type ValueSummary } from './value-summary';
import { ProtobufReader } from './protobuf-reader';

/**
 * Kinds without a status among those that Kubernetes stores as protobuf; in all others field 3 is the status.
 * Source: generated.proto of k8s.io/api, apiextensions-apiserver and kube-aggregator of 1.36.
 */
const withoutStatus = new Set(
  `ClusterRole ClusterRoleBinding ClusterTrustBundle ConfigMap ControllerRevision CSIDriver CSIStorageCapacity
  DeviceClass Endpoints EndpointSlice Event IPAddress IngressClass Lease LeaseCandidate LimitRange
  MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration NetworkPolicy PodTemplate
  PriorityClass RangeAllocation ResourceClaimTemplate ResourceSlice Role RoleBinding RuntimeClass Secret ServiceAccount
  StorageClass ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration VolumeAttributesClass Workload`.split(
    /\s+/,
  ),
);

const fields = { annotations: 12, ownerReferences: 13, managedFields: 17 } as const;

/** Reads values that Kubernetes stores as protobuf: a runtime.Unknown after the four bytes `k8s\0`. */
export class ProtobufValue {
  private readonly unknown = new ProtobufReader();
  private readonly object = new ProtobufReader();
  private readonly meta = new ProtobufReader();
  private readonly part = new ProtobufReader();
  private readonly time = new ProtobufReader();
  private readonly first = new ByteRange();
  private readonly second = new ByteRange();
  private readonly statusByKind = new Map<string, boolean>();

  read(bytes: Uint8Array, from: number, to: number, facts: ValueSummary): void {
    const { unknown } = this;
    unknown.open(bytes, from + 4, to);
    while (unknown.next()) {
      if (unknown.type !== 2) continue;
      if (unknown.field === 1) this.typeMeta(bytes, facts);
      else if (unknown.field === 2) this.raw(bytes, facts);
    }
  }

  private typeMeta(bytes: Uint8Array, facts: ValueSummary): void {
    const { part, unknown } = this;
    part.open(bytes, unknown.from, unknown.to);
    while (part.next()) {
      if (part.field === 1) facts.apiVersion.set(part.from, part.to);
      else if (part.field === 2) facts.kind.set(part.from, part.to);
    }
  }

  private raw(bytes: Uint8Array, facts: ValueSummary): void {
    const { object, unknown } = this;
    const hasStatus = this.hasStatus(bytes, facts);
    object.open(bytes, unknown.from, unknown.to);
    while (object.next()) {
      if (object.type !== 2) continue;
      if (object.field === 1) this.metadata(bytes, object.from, object.to, facts);
      else if (object.field === 3 && hasStatus) facts.status += object.to - object.tag;
    }
  }

  private hasStatus(bytes: Uint8Array, { kind }: ValueSummary): boolean {
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + kind.from, kind.to - kind.from).toString('latin1');
    let has = this.statusByKind.get(name);
    if (has === undefined) {
      has = !withoutStatus.has(name);
      this.statusByKind.set(name, has);
    }
    return has;
  }

  private metadata(bytes: Uint8Array, from: number, to: number, facts: ValueSummary): void {
    const { meta } = this;
    meta.open(bytes, from, to);
    while (meta.next()) {
      if (meta.type !== 2) continue;
      if (meta.field === fields.managedFields) {
        facts.managedFields += meta.to - meta.tag;
        this.manager(bytes, facts);
      } else if (meta.field === fields.ownerReferences) this.owner(bytes, facts);
      else if (meta.field === fields.annotations && this.isLastApplied(bytes)) facts.lastApplied += meta.to - meta.tag;
    }
  }

  private isLastApplied(bytes: Uint8Array): boolean {
    const { part, meta } = this;
    part.open(bytes, meta.from, meta.to);
    return part.next() && part.field === 1 && part.type === 2 && isText(bytes, part.from, part.to, lastAppliedKey);
  }

  private owner(bytes: Uint8Array, facts: ValueSummary): void {
    const { part, meta, first: kind, second: name } = this;
    let controls = false;
    kind.set(0, 0);
    name.set(0, 0);
    part.open(bytes, meta.from, meta.to);
    while (part.next()) {
      if (part.field === 1) kind.set(part.from, part.to);
      else if (part.field === 3) name.set(part.from, part.to);
      else if (part.field === 6) controls = part.value !== 0;
    }
    facts.addOwner(kind, name, controls);
  }

  private manager(bytes: Uint8Array, facts: ValueSummary): void {
    const { part, meta, time, first: manager, second: subresource } = this;
    let seconds = 0;
    manager.set(0, 0);
    subresource.set(0, 0);
    part.open(bytes, meta.from, meta.to);
    while (part.next()) {
      if (part.field === 1) manager.set(part.from, part.to);
      else if (part.field === 8) subresource.set(part.from, part.to);
      else if (part.field === 4 && part.type === 2) {
        time.open(bytes, part.from, part.to);
        while (time.next()) if (time.field === 1) seconds = time.value;
      }
    }
    facts.addManager(seconds, manager, subresource);
  }
}
