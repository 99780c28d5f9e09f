import { type CodePath, path } from './code-path';

/**
 * Code paths of pinion's own controller, the first that fits counts: what is done comes before for whom.
 * Its functions are named after their modules, and the paths after the rooms and folders that those are in.
 */
export const controllerPaths: readonly CodePath[] = [
  path('garbage collection', /^\(garbage collector\)$/),
  path('taking profiles', /^lib\/controller\/profiles\/|^node:inspector:/),
  path('packing and unpacking what is kept', /^lib\/controller\/observed\/packed-text\.ts:/),
  path('expansion', /^lib\/expand\//),
  path('status', /^lib\/controller\/report\//),
  path('planning what to write', /^lib\/controller\/plan\//),
  path('running jobs', /^lib\/controller\/conduct\//),
  path('checking documents', /^lib\/api\//),
  path('keeping what is observed', /^lib\/controller\/(observed\/|mirror\.ts:)/),
  path('metrics', /^node_modules\/prom-client\//),
  // Who reads a line calls what is done with its event, and who reads an answer what sends the request: functions tell them apart.
  path('decoding watch events', /^lib\/kube\/client\/watch-lines\.ts:parseEvent$/),
  path('decoding lists and answers', /^lib\/kube\/client\/api-call\.ts:decodeResponse$/),
  path('informers', /^lib\/kube\/cache\/(shared-informer|informer-factory|store(-\w+)?|trim-for-cache)\.ts:/),
  path('work queue', /^lib\/kube\/queue\//),
  path('asking the API server', /^lib\/kube\//),
  path('reconciling', /^lib\/controller\//),
  path('TLS', /^node:(_tls|tls|internal\/crypto)/),
  path('HTTP', /^node:(_?http|internal\/http|net:|internal\/stream_base_commons|internal\/streams)/),
  path('starting: packages', /^node:internal\/(modules|bootstrap)\//),
  path('Node and V8 beside the program', /^\(program\)$/),
];
