import { entriesAt, fieldsAt, textAt, type Fields } from './fields';
import { noteAdder, type KindSource } from './kind-source';
import { type NativeObject } from './native-object';
import { shownValue } from './shown-value';

/** A claim that the JobSet controller creates for all pods that mount it. */
interface SharedClaim {
  /** Name of the volume. */
  readonly volume: string;
  /** Name of the claim. */
  readonly name: string;
}

const claimsOf = (object: NativeObject): readonly SharedClaim[] =>
  entriesAt(object, 'spec', 'volumeClaimPolicies')
    .flatMap((policy) => entriesAt(policy, 'templates'))
    .flatMap((template) => textAt(template, 'metadata', 'name') ?? [])
    .map((volume) => ({ volume, name: `${volume}-${object.metadata.name}` }));

/** Returns a template with a volume for each claim of the JobSet that its containers mount, as the JobSet controller adds it. */
export function withSharedClaims(template: Fields, object: NativeObject): Fields {
  const pod = fieldsAt(template, 'spec');
  const mounted = new Set(
    ['initContainers', 'containers']
      .flatMap((list) => entriesAt(pod, list))
      .flatMap((container) => entriesAt(container, 'volumeMounts'))
      .map(({ name }) => name),
  );
  const claims = claimsOf(object).filter(({ volume }) => mounted.has(volume));
  if (claims.length === 0) return template;
  const added = claims.map(({ volume, name }) => ({ name: volume, persistentVolumeClaim: { claimName: name } }));
  return { ...template, spec: { ...pod, volumes: [...entriesAt(pod, 'volumes'), ...added] } };
}

/** Notes the claims that the JobSet controller created, and that now have to exist. */
export function noteSharedClaims(source: KindSource): void {
  const claims = claimsOf(source.object);
  if (claims.length === 0) return;
  noteAdder(source, '')(
    'spec.volumeClaimPolicies',
    `the custom resource creates no claims that jobs share; create ${claims.map(({ name }) => `PersistentVolumeClaim ${name}`).join(' and ')} before, and delete what you do not keep: ${shownValue(fieldsAt(source.object, 'spec')['volumeClaimPolicies'])}`,
  );
}
