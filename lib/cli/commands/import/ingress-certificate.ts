import { allowsAnnotation } from '../../../expand';
import { entriesAt, textAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';

const issuerKeys = ['cert-manager.io/cluster-issuer', 'cert-manager.io/issuer'] as const;

/** Converts the certificates of an Ingress. The same issuer as the Platform's needs no field. */
export function tlsOf(ingress: NativeObject, exposure: string, source: RelatedObjects): Fields {
  const [first] = entriesAt(ingress, 'spec', 'tls');
  if (!first) return { tls: { enabled: false } };
  const secretName = textAt(first, 'secretName');
  const { internal, external } = source.cluster.platform.spec.ingress;
  const platformIssuer = (exposure === 'External' ? external : internal)?.clusterIssuer;
  const { annotations = {} } = ingress.metadata;
  if (secretName === undefined || (platformIssuer !== undefined && annotations[issuerKeys[0]] === platformIssuer))
    return {};
  for (const key of issuerKeys)
    if (annotations[key] !== undefined && !allowsAnnotation(source.cluster.platform, key))
      source.note(
        ingress,
        `metadata.annotations[${JSON.stringify(key)}]`,
        `${JSON.stringify(annotations[key])} is not an issuer of this Platform and is not carried over, so nothing renews the certificate in Secret ${secretName} without this Ingress; omit loadBalancer.tls.secretName to get one from the Platform's issuer, or create a Certificate`,
      );
  return { tls: { secretName } };
}

/** Returns whether an annotation of an Ingress names its issuer, and cannot or need not be carried over. */
export const isIssuerKey = (key: string, { cluster }: RelatedObjects): boolean =>
  (issuerKeys as readonly string[]).includes(key) && !allowsAnnotation(cluster.platform, key);
