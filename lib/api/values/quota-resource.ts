import type * as z from 'zod';
import { text } from '../schema/field';

const form =
  /^(pods|requests\.cpu|requests\.memory|limits\.memory|requests\.storage|requests\.ephemeral-storage|persistentvolumeclaims|services|configmaps|secrets|services\.loadbalancers|requests\.[a-z0-9.-]+\/[a-z0-9.-]+|count\/[a-z0-9./-]+)$/;

/** Returns the schema of a resource that Project quotas support. */
export const quotaResource = (): z.ZodString =>
  text({
    pattern: form,
    what: 'a resource that quotas count (CPU limits are not counted)',
    example: 'requests.cpu',
    max: 253,
  });

/**
 * Returns whether Project quotas support a resource: `pods`, `requests.cpu`, `count/jobs.batch`; never `limits.cpu`.
 */
export const isQuotaResource = (name: string): boolean => name.length <= 253 && form.test(name);

const objectForm =
  /^(pods|persistentvolumeclaims|requests\.storage|services|services\.loadbalancers|configmaps|secrets|count\/(deployments|statefulsets)\.apps|count\/(jobs|cronjobs)\.batch)$/;

/**
 * Returns the schema of a resource that quotas of system namespaces support: object counts only, because pods there often
 * have no requests and would be rejected.
 */
export const systemQuotaResource = (): z.ZodString =>
  text({
    pattern: objectForm,
    what: 'a number of objects, or storage, which are all that quotas of system namespaces count',
    example: 'pods',
    max: 253,
  });
