import { fieldsAt, textAt, type Fields } from './fields';
import { ttlOf } from './job-completion';
import { noteAdder, relatedObjectsOf, type KindSource } from './kind-source';
import { usesOfService } from './old-names';
import { shownValue } from './shown-value';
import { noteUnconverted } from './unconverted-fields';

/** Annotation of a JobSet, or of the Jobs of an entry, that gives each Job a topology domain to itself. */
export const exclusiveKey = 'alpha.jobset.sigs.k8s.io/exclusive-topology';

/** What the conversion of a JobSet takes care of itself. */
interface JobSetConversion {
  /** Name of its first host without the domain, before and after. */
  readonly hosts: readonly [before: string, after: string];
  /** Fields of the set that are converted, besides those that all sets share. */
  readonly converted: readonly string[];
  /** Annotations of the set that are converted. */
  readonly annotations: readonly string[];
  /** Seconds to keep a set that does not say it. */
  readonly ttl?: unknown;
}

/** Returns the fields that all JobSets have, with notes about what else the set says. */
export function jobSetFields(source: KindSource, { hosts, converted, annotations, ttl }: JobSetConversion): Fields {
  const { object, name } = source;
  const spec = fieldsAt(object, 'spec');
  const network = fieldsAt(spec, 'network');
  const note = noteAdder(source, '');
  const subdomain = textAt(network, 'subdomain') ?? object.metadata.name;
  const hasNames = network['enableDNSHostnames'] !== false;
  if (hasNames) noteHostNames(`${hosts[0]}.${subdomain}`, `${hosts[1]}.${name}`, subdomain, source);
  const known = ['replicatedJobs', 'network', 'suspend', 'ttlSecondsAfterFinished', 'failurePolicy', 'successPolicy'];
  noteUnconverted(spec, [...known, ...converted], 'spec.', note);
  const ofNetwork = ['enableDNSHostnames', 'subdomain'];
  const isPublished = network['publishNotReadyAddresses'] === true;
  noteUnconverted(network, isPublished ? [...ofNetwork, 'publishNotReadyAddresses'] : ofNetwork, 'spec.network.', note);
  noteUnusedAnnotations(source, annotations);
  return {
    ...(spec['suspend'] === true && { suspend: true }),
    ...(hasNames && spec['coordinator'] === undefined && { dnsNames: true }),
    ...ttlOf({ ttlSecondsAfterFinished: spec['ttlSecondsAfterFinished'] ?? ttl }, 'spec', note),
  };
}

/** Notes the annotations by which the JobSet controller places Jobs. */
function noteUnusedAnnotations(source: KindSource, converted: readonly string[]): void {
  for (const [key, value] of Object.entries(source.object.metadata.annotations ?? {}))
    if (key.includes('jobset.sigs.k8s.io/') && !converted.includes(key))
      noteAdder(source, '')(
        `metadata.annotations[${JSON.stringify(key)}]`,
        `has no effect on the custom resource: ${shownValue(value, key)}; use spec.placement`,
      );
}

/** Notes that pods have other host names, and where the old ones are. */
export function noteHostNames(before: string, after: string, subdomain: string, source: KindSource): void {
  if (before === after) return;
  const uses = usesOfService(subdomain, relatedObjectsOf(source));
  const place = uses.length === 0 ? 'change clients that use them' : `change the old name in ${uses.join(', ')}`;
  noteAdder(source, '')(
    source.object.kind === 'Job' ? 'spec.template.spec.subdomain' : 'spec.network',
    `host names of pods change from ${before} to ${after} and so on; ${place}`,
  );
}
