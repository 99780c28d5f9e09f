import { fieldIfSet, type Fields } from './fields';

/** Returns the revision history limit, unless it is the default of the API server or of pinion. */
export const historyOf = (spec: Fields): Fields =>
  spec['revisionHistoryLimit'] === 10 || spec['revisionHistoryLimit'] === 5
    ? {}
    : fieldIfSet('revisionHistoryLimit', spec['revisionHistoryLimit']);
