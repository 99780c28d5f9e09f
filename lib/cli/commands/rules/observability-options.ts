import { type OptionSpec } from '../../command/command-spec';
import { textType } from '../../command/option-value-type';

const namespacePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Namespace of Prometheus and Grafana. */
export const monitoringNamespaceOption = {
  type: 'parsed',
  valueType: textType('NAME', 'lower-case letters, digits and dashes', (text) => namespacePattern.test(text)),
  defaultText: 'monitoring',
  description: 'namespace of the objects',
} as const satisfies OptionSpec;
