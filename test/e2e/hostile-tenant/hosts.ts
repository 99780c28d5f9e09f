import { apiVersion } from '../../../lib/api';
import { smallTemplate } from '../pinion-suite';
import { allowed, type Attack, type AttackTable, refusedByOneOf } from './attack';
import { objectOf } from './goals/goal';

const owned = 'cart.shop.apps.example.com';
/** Names of another project's host, in every spelling. */
const spellings: readonly (readonly [name: string, host: string | undefined])[] = [
  ['as it is', owned],
  ['in upper case', owned.toUpperCase()],
  ['in mixed case', 'Cart.shop.apps.example.com'],
  ['with a trailing dot', `${owned}.`],
  ['with a port', `${owned}:80`],
  ['with a scheme', `http://${owned}`],
  ['with a path', `${owned}/deploy`],
  ['with a space before', ` ${owned}`],
  ['with a space after', `${owned} `],
  ['with a line break', `${owned}\nevil.example.com`],
  ['below it', `x.${owned}`],
  ['as a wildcard of the project', '*.shop.apps.example.com'],
  ['as a wildcard of the domain', '*.apps.example.com'],
  ['as a wildcard above the domain', '*.example.com'],
  ['as a wildcard of everything', '*'],
  ['as the project itself', 'shop.apps.example.com'],
  ['as the domain itself', 'apps.example.com'],
  ['without a host', undefined],
  ['as an empty host', ''],
  ['with the own project as a prefix', 'bank.apps.example.com.shop.apps.example.com'],
  ['with the own project as a label in the middle', 'cart.bank.shop.apps.example.com'],
  ['with a longer label that ends like the own project', 'cart.notbank.apps.example.com'],
  ['with a letter of another alphabet', 'c\u0430rt.shop.apps.example.com'],
  ['in punycode', 'xn--crt-7cd.shop.apps.example.com'],
  ['with full-width dots', 'cart\uff0eshop\uff0eapps\uff0eexample\uff0ecom'],
  ['as a regular expression', 'cart[.]shop.apps.example.com'],
  ['outside of the domain', 'deploy.corp.example.net'],
];

const backend = { service: { name: 'evil', port: { number: 80 } } };
const ingress = (spec: object, annotations?: object) => ({
  ...objectOf('networking.k8s.io/v1', 'Ingress', 'evil', { spec: { ingressClassName: 'internal', ...spec } }, 'bank'),
  metadata: { name: 'evil', namespace: 'bank', ...(annotations && { annotations }) },
});
const http = { paths: [{ path: '/deploy/v1', pathType: 'Exact', backend }] };
const service = (loadBalancer: object) =>
  objectOf(
    apiVersion,
    'PinterestService',
    'evil',
    { spec: { loadBalancer: { port: 80, exposure: 'Internal', ...loadBalancer }, template: smallTemplate() } },
    'bank',
  );

const as = 'administrator of bank' as const;
const refused = refusedByOneOf(['policy', 'schema']);

const ofHosts = spellings.flatMap(([name, host]): Attack[] => [
  ...(host === undefined
    ? []
    : [
        {
          name: `a workload of bank claims a host of shop ${name}`,
          as,
          does: { apply: service({ hosts: [host] }) },
          expects: refused,
        },
      ]),
  {
    name: `an Ingress of bank claims a host of shop ${name}`,
    as,
    does: { create: ingress({ rules: [{ ...(host !== undefined && { host }), http }] }) },
    expects: refused,
  },
  ...(host === undefined
    ? []
    : [
        {
          name: `an Ingress of bank claims the certificate of a host of shop ${name}`,
          as,
          does: {
            create: ingress({
              rules: [{ host: 'cart.bank.apps.example.com', http }],
              tls: [{ hosts: [host], secretName: 'evil' }],
            }),
          },
          expects: refused,
        },
      ]),
]);

/** Annotations by which ingress controllers route, or run configuration of tenants. */
const snippets = [
  'nginx.ingress.kubernetes.io/configuration-snippet',
  'nginx.ingress.kubernetes.io/server-snippet',
  'nginx.ingress.kubernetes.io/auth-snippet',
  'nginx.ingress.kubernetes.io/stream-snippet',
  'nginx.ingress.kubernetes.io/server-alias',
  'nginx.ingress.kubernetes.io/auth-url',
  'nginx.ingress.kubernetes.io/auth-tls-secret',
  'nginx.ingress.kubernetes.io/mirror-target',
  'nginx.ingress.kubernetes.io/permanent-redirect',
  'nginx.ingress.kubernetes.io/rewrite-target',
  'external-dns.alpha.kubernetes.io/hostname',
  'external-dns.alpha.kubernetes.io/target',
  'cert-manager.io/cluster-issuer',
  'kubernetes.io/ingress.class',
  'alb.ingress.kubernetes.io/group.name',
  'traefik.ingress.kubernetes.io/router.middlewares',
];
const ofAnnotations = snippets.flatMap((key): Attack[] => [
  {
    name: `an Ingress of bank with annotation ${key}`,
    as,
    does: { create: ingress({ rules: [{ host: 'cart.bank.apps.example.com', http }] }, { [key]: 'evil' }) },
    expects: refused,
  },
  {
    name: `a workload of bank with annotation ${key}`,
    as,
    does: { apply: service({ annotations: { [key]: 'evil' } }) },
    expects: refused,
  },
]);

/** Host names of other projects, and configuration of the ingress controller. */
export const hosts: AttackTable = {
  title: 'host names',
  attacks: [
    ...ofHosts,
    ...ofAnnotations,
    {
      name: 'an Ingress of bank takes all requests by a default backend',
      as,
      does: { create: ingress({ defaultBackend: backend }) },
      expects: refused,
    },
    {
      name: 'an Ingress of bank names a class of others',
      as,
      does: { create: ingress({ ingressClassName: 'other', rules: [{ host: 'cart.bank.apps.example.com', http }] }) },
      expects: refused,
    },
    {
      name: 'a workload of bank names its own host',
      as,
      does: { apply: service({ hosts: ['cart.bank.apps.example.com'] }) },
      expects: allowed,
    },
    {
      name: 'an Ingress of bank names its own host',
      as,
      does: { create: ingress({ rules: [{ host: 'cart.bank.apps.example.com', http }] }) },
      expects: allowed,
    },
  ],
};
