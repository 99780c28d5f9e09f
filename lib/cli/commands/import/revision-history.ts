import { fieldIfSet, type Fields } from './fields';

/** Revisions that a workload keeps; neither the API server's number nor our own is anybody's choice. */
export const historyOf = (spec: Fields): Fields =>
  spec['revisionHistoryLimit'] === 10 || spec['revisionHistoryLimit'] === 5
    ? {}
    : fieldIfSet('revisionHistoryLimit', spec['revisionHistoryLimit']);
