import { describePinion } from '../pinion-suite';
import { sceneUsers } from './actors';
import { createScene, type Scene, scenePlatform } from './scene';

/** Defines a suite with a cluster of its own, on which the scene is created when it is first asked for. */
export function describeHostileTenant(title: string, define: (scene: () => Promise<Scene>) => void): void {
  describePinion(
    title,
    (pinion) => {
      let scene: Promise<Scene> | undefined;
      define(() => (scene ??= createScene(pinion())));
    },
    {
      documents: scenePlatform,
      twoControllers: true,
      users: sceneUsers,
      // In addition to RBAC, as every cluster of the stack has them.
      apiServerFlags: ['--authorization-mode=Node', '--enable-admission-plugins=NodeRestriction'],
      // Each controller of Kubernetes has an identity of its own, not that of an administrator.
      controllerManagerFlags: ['--use-service-account-credentials=true'],
    },
  );
}
