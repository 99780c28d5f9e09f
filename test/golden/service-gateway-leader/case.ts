import { type GoldenCase } from '../golden-case';

interface Policy {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly egress: readonly object[] };
}

export default {
  title: 'pods that elect a leader are led to the gateway, although apiAccess is false',
  needsController: true,
  expectations: {
    'their restricted access includes the gateway, that of hooks without a token does not': (objects) => {
      const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as readonly Policy[];
      const reach = policies.map(({ metadata, spec }) => [
        metadata.name,
        JSON.stringify(spec.egress).includes('"pinion-gateway"'),
      ]);
      expect(Object.fromEntries(reach)).toEqual({ scheduler: true, 'scheduler-before-deployment': false });
    },
  },
} satisfies GoldenCase;
