import { type ManifestInput, type PlatformKind } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { type TestAuthority } from '../kube/certificates';

/** Address of the gateway's Service in the service network of the test control planes. */
export const gatewayAddress = '10.96.0.11';

/** Returns the built-in Platform with a gateway, and its profile. */
export const platformWithGateway = (
  authority: TestAuthority,
  settings: Partial<NonNullable<ManifestInput<'Platform'>['spec']['gateway']>> = {},
  more: Partial<ManifestInput<'Platform'>['spec']> = {},
): readonly ManifestInput<PlatformKind>[] => [
  {
    ...defaultPlatform,
    spec: {
      ...defaultPlatform.spec,
      ...more,
      gateway: { address: gatewayAddress, certificateAuthority: authority.certificate, ...settings },
    },
  },
  defaultProfile,
];
