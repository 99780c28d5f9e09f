import * as z from 'zod';
import { type ValidationRule } from '../rules/validation-rule';
import { integer, listOf, text } from '../schema/field';
import { gatewayEnforcement } from './gateway-enforcement';

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const addressForm = new RegExp(`^((${byte}\\.){3}${byte}|[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4}){2,7})$`);
// The pattern is published in the definition: a character less would be a change of it.
// oxlint-disable-next-line no-useless-escape
const certificatesForm = /^(-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+\/=\n]+-----END CERTIFICATE-----\n*)+$/;
const resourceForm = /^[a-z][a-z0-9-]*\.v[a-z0-9]+(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Returns the schema of `Platform.spec.gateway`: where clients find the gateway, what it caches, and who must use it. */
export const gatewaySettings = () =>
  z.strictObject({
    address: text({
      pattern: addressForm,
      what: 'an IP address',
      example: '10.96.0.20',
      max: 45,
    }).describe('Cluster IP of the Service of the gateway, for which its certificate is valid.'),
    port: integer(1, 65535).default(443).describe('Port of the Service.'),
    certificateAuthority: text({
      pattern: certificatesForm,
      what: 'a list of certificates in PEM',
      example: '-----BEGIN CERTIFICATE-----…',
      max: 65536,
    }).describe('Certificates of the authorities that clients trust; list the old and the new one during a rotation.'),
    replicas: integer(1, 20).default(2).describe('Number of gateways; each caches all of the resources.'),
    resources: listOf(
      text({
        pattern: resourceForm,
        what: 'a resource, as PLURAL.VERSION or PLURAL.VERSION.GROUP',
        example: 'deployments.v1.apps',
        max: 317,
      }),
      64,
    )
      .default([])
      .describe(
        "Resources whose reads it answers from its caches, in addition to pods, nodes, services, endpoint slices, namespaces and pinion's own kinds.",
      ),
    cacheConfigMaps: z
      .boolean()
      .default(false)
      .describe('Whether `configmaps.v1` may be among the resources: some contain credentials.'),
    ...gatewayEnforcement(),
  });

/** Rules of `Platform.spec` about what the gateway caches. */
export const gatewaySettingsRules: readonly ValidationRule[] = [
  {
    name: 'platform-gateway-secrets',
    cel: '!has(self.gateway) || !has(self.gateway.resources) || !self.gateway.resources.exists(r, r.matches("^secrets[.]v[^.]*$"))',
    fieldPath: ['gateway', 'resources'],
    reason: 'must not include Secrets, because the gateway would hold the credentials of all namespaces',
    remedy: 'remove it; clients read Secrets through the gateway from the API server',
    code: 'not-available',
  },
  {
    name: 'platform-gateway-config-maps',
    cel: '!has(self.gateway) || !has(self.gateway.resources) || (has(self.gateway.cacheConfigMaps) && self.gateway.cacheConfigMaps) || !self.gateway.resources.exists(r, r.matches("^configmaps[.]v[^.]*$"))',
    fieldPath: ['gateway', 'resources'],
    reason: 'includes ConfigMaps, some of which contain credentials',
    remedy: 'remove it, or set cacheConfigMaps to true',
    code: 'invalid-combination',
  },
];
