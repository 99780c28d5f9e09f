/** Whether a place for objects, a folder or `s3://BUCKET/PREFIX`, is another one or lies in it, however the two are spelled. */
export function liesWithin(place: string, other: string): boolean {
  const [inner, outer] = [stepsOf(place), stepsOf(other)];
  return outer.every((step, index) => inner[index] === step);
}

/** The steps to a place: those that lead nowhere are left out, and those that lead back are taken back. */
function stepsOf(place: string): readonly string[] {
  const steps: string[] = [];
  for (const step of place.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps;
}
