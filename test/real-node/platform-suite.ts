import { type PlatformNode, startPlatform } from './platform-node';
import { describeRealNode } from './suite';
import { profileImages } from './test-profile';

/** Defines a suite on a real node with pinion; skipped with the reason in its title if a node is unavailable. */
export function describePlatformNode(title: string, define: (platform: () => PlatformNode) => void): void {
  describeRealNode(
    title,
    (node) => {
      let running: PlatformNode | undefined;
      beforeAll(async () => {
        running = await startPlatform(node());
      }, 240_000);
      afterAll(async () => {
        await running?.zookeeper?.stop();
      }, 60_000);
      define(() => {
        if (!running) throw new Error('pinion runs only while the tests of its suite run');
        return running;
      });
    },
    { images: profileImages },
  );
}
