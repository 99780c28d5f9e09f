/**
 * Returns whether a store location (a folder or `s3://BUCKET/PREFIX`) equals another one or is under it, after
 * normalization.
 */
export function isWithinLocation(location: string, other: string): boolean {
  const [inner, outer] = [segmentsOf(location), segmentsOf(other)];
  return outer.every((segment, index) => inner[index] === segment);
}

/** Returns the path segments of a location, with `.` and `..` resolved. */
function segmentsOf(location: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of location.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}
