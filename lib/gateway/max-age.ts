/**
 * Milliseconds without a word of the API server after which the state that a watch has built is used no longer: more than the minute
 * between bookmarks.
 */
export const maxAge = 90_000;

/**
 * Milliseconds without event and bookmark after which a resource is read again as a whole: more than the minute between
 * bookmarks, and so much less than `maxAge` that a resource that does not change remains in use. About such a resource the
 * server may send no bookmarks.
 */
export const maxSilence = 70_000;
