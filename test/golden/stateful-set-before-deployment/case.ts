import { type PodTemplateSpec } from '@pinion-platform/pinion/api';
import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a hook of a stateful set reaches the members, and mounts none of their claims',
  needsController: true,
  expectations: {
    'it has no volume of a member, and knows the domain of the members': (objects) => {
      const { template } = only(objects, 'Job').spec as { template: PodTemplateSpec };
      const [hook] = template.spec?.containers ?? [];
      const containers = [...(template.spec?.initContainers ?? []), ...(template.spec?.containers ?? [])];
      const mounts = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name));
      expect(mounts).not.toContain('data');
      expect(hook?.env).toContainEqual({ name: 'PINION_MEMBERS_DOMAIN', value: 'ledger-members.shop.svc' });
      expect(hook?.env?.map(({ name }) => name)).not.toContain('PINION_MEMBER_INDEX');
    },
    'members accept its connections': (objects) => {
      const { template } = only(objects, 'Job').spec as { template: PodTemplateSpec };
      const { ingress } = only(objects, 'NetworkPolicy', 'ledger').spec as {
        ingress: readonly { from: readonly { podSelector?: { matchLabels: Record<string, string> } }[] }[];
      };
      const selectors = ingress.flatMap(({ from }) => from.flatMap((peer) => (peer.podSelector ? [peer.podSelector.matchLabels] : [])));
      const labels = template.metadata?.labels ?? {};
      const isSelected = selectors.some((selector) => Object.entries(selector).every(([key, value]) => labels[key] === value));
      expect(isSelected).toBe(true);
    },
  },
} satisfies GoldenCase;
