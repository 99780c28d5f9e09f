import { type ProjectContext } from '../../project-context';
import { isInfrastructureProject } from '../rule-facts';
import { type PlatformRule } from '../platform-rule';

const mayAccessDirectly = `(${isInfrastructureProject}) || namespaceObject.metadata.name in params.spec.gateway.directProjects`;

/** Platform rules about access to the API server, for every workload kind. */
export const gatewayRules: readonly PlatformRule[] = [
  {
    name: 'api-access-offered',
    field: ['apiAccess'],
    // True and false are neither: stored workloads stay valid.
    cel: `has(params.spec.gateway) ? (!(dyn(object.spec).apiAccess in ["Direct"]) || ${mayAccessDirectly}) : !(dyn(object.spec).apiAccess in ["Gateway"])`,
    needsProject: true,
    code: 'not-available',
    reason: 'is not available to this project',
    remedy: 'use Gateway where spec.gateway of the Platform is set, and Direct elsewhere',
    paths: ({ apiAccess }, { platform }: ProjectContext) => [
      {
        path: ['apiAccess'],
        value: apiAccess,
        ...(platform.spec.gateway
          ? {
              reason: 'is not available to this project, because the Platform has a gateway',
              remedy: 'use Gateway, or ask the platform team to add the project to spec.gateway.directProjects',
            }
          : {
              reason: 'is not available to this project, because the Platform has no gateway',
              remedy: 'use Direct, or ask the platform team to set spec.gateway of the Platform',
            }),
      },
    ],
  },
];
