const annotationsOf = (object: string) => `${object}.metadata.?annotations.orValue({})`;

/** CEL expression that is true if an update changes nothing but annotations and the fields that the API server sets. */
export const sameExceptAnnotations = [
  'object.?spec == oldObject.?spec',
  ...['labels', 'finalizers', 'ownerReferences'].map(
    (field) => `object.metadata.?${field} == oldObject.metadata.?${field}`,
  ),
].join(' && ');

/** Returns a CEL expression that is true if an update changes no annotation but one. */
export const sameAnnotationsExcept = (key: string): string => {
  const [after, before] = [annotationsOf('object'), annotationsOf('oldObject')];
  const isOther = `k != ${JSON.stringify(key)}`;
  return `${after}.all(k, !(${isOther}) || (k in ${before} && ${before}[k] == ${after}[k])) && ${before}.all(k, !(${isOther}) || k in ${after})`;
};

/** Returns a CEL expression that is true if an update changes neither spec and labels nor an annotation but one. */
export const sameContentExcept = (key: string): string =>
  `object.?spec == oldObject.?spec && object.metadata.?labels.orValue({}) == oldObject.metadata.?labels.orValue({}) && ${sameAnnotationsExcept(key)}`;
