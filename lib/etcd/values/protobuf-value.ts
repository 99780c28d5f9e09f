import { isText, lastAppliedKey, ByteRange, type ValueSummary } from './value-summary';
import { ProtobufReader } from './protobuf-reader';

/**
 * Kinds without a status among those that Kubernetes stores as protobuf; for all others, field 3 is the status.
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

  read(bytes: Uint8Array, from: number, to: number, summary: ValueSummary): void {
    const { unknown } = this;
    unknown.open(bytes, from + 4, to);
    while (unknown.next()) {
      if (unknown.type !== 2) continue;
      if (unknown.field === 1) this.typeMeta(bytes, summary);
      else if (unknown.field === 2) this.raw(bytes, summary);
    }
  }

  private typeMeta(bytes: Uint8Array, summary: ValueSummary): void {
    const { part, unknown } = this;
    part.open(bytes, unknown.from, unknown.to);
    while (part.next()) {
      if (part.field === 1) summary.apiVersion.set(part.from, part.to);
      else if (part.field === 2) summary.kind.set(part.from, part.to);
    }
  }

  private raw(bytes: Uint8Array, summary: ValueSummary): void {
    const { object, unknown } = this;
    const hasStatus = this.hasStatus(bytes, summary);
    object.open(bytes, unknown.from, unknown.to);
    while (object.next()) {
      if (object.type !== 2) continue;
      if (object.field === 1) this.metadata(bytes, object.from, object.to, summary);
      else if (object.field === 3 && hasStatus) summary.status += object.to - object.tag;
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

  private metadata(bytes: Uint8Array, from: number, to: number, summary: ValueSummary): void {
    const { meta } = this;
    meta.open(bytes, from, to);
    while (meta.next()) {
      if (meta.type !== 2) continue;
      if (meta.field === fields.managedFields) {
        summary.managedFields += meta.to - meta.tag;
        this.manager(bytes, summary);
      } else if (meta.field === fields.ownerReferences) this.owner(bytes, summary);
      else if (meta.field === fields.annotations && this.isLastApplied(bytes))
        summary.lastApplied += meta.to - meta.tag;
    }
  }

  private isLastApplied(bytes: Uint8Array): boolean {
    const { part, meta } = this;
    part.open(bytes, meta.from, meta.to);
    return part.next() && part.field === 1 && part.type === 2 && isText(bytes, part.from, part.to, lastAppliedKey);
  }

  private owner(bytes: Uint8Array, summary: ValueSummary): void {
    const { part, meta, first: kind, second: name } = this;
    let isController = false;
    kind.set(0, 0);
    name.set(0, 0);
    part.open(bytes, meta.from, meta.to);
    while (part.next()) {
      if (part.field === 1) kind.set(part.from, part.to);
      else if (part.field === 3) name.set(part.from, part.to);
      else if (part.field === 6) isController = part.value !== 0;
    }
    summary.addOwner(kind, name, isController);
  }

  private manager(bytes: Uint8Array, summary: ValueSummary): void {
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
    summary.addManager(seconds, manager, subresource);
  }
}
