import { type SendableObject } from '../../../control-plane/client';
import { type ActorName, type ProgramName, thiefOf } from '../actors';
import { type ApiRequest } from '../attack';

/** What an attacker wants: a request that only a few may send. */
export interface Goal {
  /** Completes "tries to". */
  readonly name: string;
  readonly does: ApiRequest;
  /** Actors besides the platform administrators that may. @default - none */
  readonly rightful?: readonly ActorName[];
  /** Whether no platform administrator could either, because of a guard or the state of the scene. @default false */
  readonly hasNoRightfulMove?: boolean;
}

/** Returns an object to send; with a namespace if it has one. */
export const objectOf = (
  apiVersion: string,
  kind: string,
  name: string,
  fields: object = {},
  namespace?: string,
): SendableObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  ...fields,
});

/** Returns the thieves of programs, which may reach a goal because the program must. */
export const thievesOf = (...programs: readonly ProgramName[]): readonly ActorName[] => programs.map(thiefOf);

/** Returns a pod that owns its node. */
export const rootPod = (namespace: string): SendableObject =>
  objectOf(
    'v1',
    'Pod',
    'root',
    {
      spec: {
        hostPID: true,
        containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0', securityContext: { privileged: true } }],
      },
    },
    namespace,
  );
