import { type CodePath, path } from './code-path';

/**
 * Code paths of pinion's controller by source files. The first match applies: activities come before their callers.
 */
export const controllerPaths: readonly CodePath[] = [
  path('garbage collection', /^\(garbage collector\)$/),
  path('collecting profiles', /^lib\/controller\/profiles\/|^node:inspector:/),
  path('compressing the cache', /^lib\/controller\/observed\/packed-text\.ts:/),
  path('expansion', /^lib\/expand\//),
  path('status', /^lib\/controller\/report\//),
  path('planning', /^lib\/controller\/plan\//),
  path('running jobs', /^lib\/controller\/run\//),
  path('validating manifests', /^lib\/api\//),
  path('caching observed objects', /^lib\/controller\/observed\//),
  path('metrics', /^node_modules\/prom-client\//),
  // The functions that read lines and responses also call event handlers and senders, so these paths match functions instead of files.
  path('decoding watch events', /^lib\/kube\/client\/watch-lines\.ts:parseEvent$/),
  path('decoding lists and responses', /^lib\/kube\/client\/api-call\.ts:decodeResponse$/),
  path(
    'informers',
    /^lib\/(kube\/cache\/(shared-informer(-factory)?|store(-\w+)?|trim-for-cache)|controller-runtime\/cache(d-client)?)\.ts:/,
  ),
  path('work queue', /^lib\/kube\/queue\//),
  path('API requests', /^lib\/kube\//),
  path('reconciling', /^lib\/controller(-runtime)?\//),
  path('TLS', /^node:(_tls|tls|internal\/crypto)/),
  path('HTTP', /^node:(_?http|internal\/http|net:|internal\/stream_base_commons|internal\/streams)/),
  path('loading modules', /^node:internal\/(modules|bootstrap)\//),
  path('Node.js and V8', /^\(program\)$/),
];
