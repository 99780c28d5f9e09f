/** Parameters of a list or watch that decide what it costs. */
export interface ListQuery {
  /** 0 for none. */
  readonly limit: number;
  readonly isContinued: boolean;
  /** Empty if it is unset: the most recent state. */
  readonly resourceVersion: string;
  readonly versionMatch: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly sendsInitialEvents: boolean;
}

const noQuery: ListQuery = {
  limit: 0,
  isContinued: false,
  resourceVersion: '',
  versionMatch: '',
  labelSelector: '',
  fieldSelector: '',
  sendsInitialEvents: false,
};

/** Parses the parameters of a request URI; those that are absent or invalid have their zero value. */
export function readListQuery(uri: string): ListQuery {
  const start = uri.indexOf('?');
  if (start < 0) return noQuery;
  const query = new URLSearchParams(uri.slice(start + 1));
  const text = (name: string): string => query.get(name) ?? '';
  const limit = Number(text('limit'));
  return {
    limit: Number.isSafeInteger(limit) && limit > 0 ? limit : 0,
    isContinued: text('continue') !== '',
    resourceVersion: text('resourceVersion'),
    versionMatch: text('resourceVersionMatch'),
    labelSelector: text('labelSelector'),
    fieldSelector: text('fieldSelector'),
    sendsInitialEvents: text('sendInitialEvents') === 'true',
  };
}

/** Returns whether a list or watch selects all objects of its collection. */
export const selectsAll = ({ labelSelector, fieldSelector }: ListQuery): boolean =>
  labelSelector === '' && fieldSelector === '';

/**
 * Returns whether the API server reads a list from etcd instead of its watch cache, by its own rules
 * (`ShouldDelegateListMeta`, with consistent reads from the cache as etcd 3.5.13 and later allow them).
 */
export function readsStorage({ versionMatch, isContinued, limit, resourceVersion }: ListQuery): boolean {
  if (versionMatch === 'NotOlderThan') return false;
  if (versionMatch !== '') return true;
  return isContinued || (limit > 0 && resourceVersion !== '' && resourceVersion !== '0');
}
