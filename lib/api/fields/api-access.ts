import type * as z from 'zod';
import { leaf } from '../schema/field-facts';

/** How clients in the pods of a workload reach the API server, as manifests say it. */
const modes = ['None', 'Gateway', 'Direct'] as const;

/**
 * How clients in the pods of a workload reach the API server.
 *
 * - `None`, or `false`: they have no credential.
 * - `Gateway`: they have a token for the gateway, and its address in place of the API server's.
 * - `Direct`: they have a token for the API server, where the Platform has no gateway, or in infrastructure projects and
 *   those that the Platform lists.
 * - `true`: they have what Kubernetes gives to pods, which the Platform may replace by a token for the gateway.
 *
 * Until 0.2.0, the field was boolean. Stored objects keep their values, and pods their templates.
 */
export type ApiAccess = (typeof modes)[number] | boolean;

const choices: readonly unknown[] = [...modes, true, false];

/**
 * Returns the schema of `apiAccess`; `None` is read as `false`, the default.
 *
 * The default stays boolean, because the API server stores it: controllers of 0.2.0 read objects that are created between
 * the upgrade of the definitions and their own.
 */
export const apiAccess = (): z.ZodType<ApiAccess, ApiAccess> =>
  leaf<ApiAccess>(
    'ApiAccess',
    // Structural schemas have no union of text and boolean, so that only the enumeration restricts the value.
    () => ({ 'x-kubernetes-preserve-unknown-fields': true, enum: choices }),
    (value, report) => {
      if (choices.includes(value)) return;
      report({
        code: 'unsupported-value',
        path: [],
        value,
        reason: 'is not supported',
        remedy: `use ${modes.join(', ')}`,
      });
    },
  ).overwrite((value) => (value === 'None' ? false : value));
