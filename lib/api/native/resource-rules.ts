import { isPlainObject } from '../values/plain-object';
import { compareQuantities, parseQuantity, type Quantity } from '../values/quantity';
import { type ValidationRule } from '../rules/validation-rule';
import * as forms from './forms';
import { type FieldLimits, type IssueReporter, type TypeRules } from './overlay';
import { exactlyOne, objectIn, type Self } from './rule-forms';

/** Map of resource amounts; its maximum size keeps CEL rules affordable. */
const amounts: FieldLimits = { maxProperties: 32, items: { minimum: 0 } };

/** Returns the amount in a field of a map, if it is valid. */
function amountOf(list: Self, name: string): Quantity | undefined {
  const value = list[name];
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
}

const withinLimits: ValidationRule = {
  name: 'requests-within-limits',
  cel:
    '!has(self.requests) || !has(self.limits) || self.requests.all(r, !(r in self.limits) || ' +
    'quantity(string(self.requests[r])).compareTo(quantity(string(self.limits[r]))) <= 0)',
  reason: 'is more than its limit',
  remedy: 'raise the limit or lower the request',
  fieldPath: ['requests'],
  find: (self) => {
    if (self['limits'] === undefined || self['requests'] === undefined) return [];
    const [requests, limits] = [objectIn(self, 'requests'), objectIn(self, 'limits')];
    return Object.keys(requests).flatMap((name) =>
      isMore(amountOf(requests, name), amountOf(limits, name)) ? [['requests', name]] : [],
    );
  },
};

const isMore = (a: Quantity | undefined, b: Quantity | undefined): boolean =>
  a !== undefined && b !== undefined && compareQuantities(a, b) > 0;

const standard = new Set(['cpu', 'memory', 'ephemeral-storage']);
const qualified = new RegExp(forms.qualifiedName.pattern);
const hugePages = 'hugepages-';
const nano = 1_000_000_000n;

/** Checks the names and amounts in a container's `resources`, which differ from those of a claim. */
export function checkResources(container: Self, report: IssueReporter): void {
  const resources = container['resources'];
  if (!isPlainObject(resources)) return;
  const requests = objectIn(resources, 'requests');
  const limits = objectIn(resources, 'limits');
  checkNames(limits, 'limits', report);
  checkNames(requests, 'requests', report);
  for (const name in requests) if (!standard.has(name)) checkNotOvercommitted(name, requests, limits, report);
  checkHugePages(requests, limits, report);
}

function checkNames(amounts: Self, list: string, report: IssueReporter): void {
  for (const name in amounts) {
    if (standard.has(name)) continue;
    const path = ['resources', list, name];
    const quantity = amountOf(amounts, name);
    if (name.startsWith(hugePages)) checkPages(name, quantity, path, report);
    else if (
      !name.includes('/') ||
      name.includes('kubernetes.io/') ||
      name.startsWith('requests.') ||
      !qualified.test(name)
    ) {
      if (name.includes('kubernetes.io/') && qualified.test(name)) continue;
      report(
        'unsupported-value',
        path,
        'is not a container resource',
        'use cpu, memory, ephemeral-storage, hugepages-<size> or domain/name',
      );
    } else if (quantity !== undefined && quantity.nanos % nano !== 0n) {
      report('bad-format', path, 'must be a whole number; this resource is indivisible', 'use a whole number');
    }
  }
}

function checkPages(
  name: string,
  quantity: Quantity | undefined,
  path: readonly string[],
  report: IssueReporter,
): void {
  const size = parseQuantity(name.slice(hugePages.length));
  if (size === undefined || size.nanos <= 0n) {
    report('bad-format', path, 'must contain a huge page size', 'use hugepages-2Mi or hugepages-1Gi');
  } else if (quantity !== undefined && quantity.nanos % size.nanos !== 0n) {
    report(
      'bad-format',
      path,
      'must be a multiple of the page size',
      `use a multiple of ${name.slice(hugePages.length)}`,
    );
  }
}

/**
 * Requires that the request and the limit of huge pages and extended resources be equal, because they cannot be
 * overcommitted.
 */
function checkNotOvercommitted(name: string, requests: Self, limits: Self, report: IssueReporter): void {
  if (!name.startsWith(hugePages) && (!name.includes('/') || name.includes('kubernetes.io/'))) return;
  const request = amountOf(requests, name);
  const limit = amountOf(limits, name);
  if (limits[name] === undefined) {
    report(
      'required',
      ['resources', 'limits', name],
      'must be set if it is requested',
      'set a limit equal to the request',
    );
  } else if (request !== undefined && limit !== undefined && compareQuantities(request, limit) < 0) {
    report(
      'invalid-combination',
      ['resources', 'requests', name],
      'differs from its limit',
      'set the limit to the request',
    );
  }
}

function checkHugePages(requests: Self, limits: Self, report: IssueReporter): void {
  const names = [...Object.keys(requests), ...Object.keys(limits)];
  if (!names.some((name) => name.startsWith(hugePages)) || names.some((name) => name === 'cpu' || name === 'memory'))
    return;
  report(
    'invalid-combination',
    ['resources'],
    'requests huge pages without CPU or memory',
    'request CPU or memory as well',
  );
}

/** Rules for resource amounts. */
export const resourceRules: Readonly<Record<string, TypeRules>> = {
  ResourceRequirements: {
    fields: { limits: amounts, requests: amounts, claims: { maxItems: 32, keys: ['name', 'request'] } },
    rules: [withinLimits],
  },
  VolumeResourceRequirements: { fields: { limits: amounts, requests: amounts } },
  ResourceClaim: { fields: { name: { minLength: 1 }, request: { form: forms.dnsLabel } } },
  PodResourceClaim: {
    fields: {
      name: { form: forms.dnsLabel },
      resourceClaimName: { form: forms.dnsSubdomain },
      resourceClaimTemplateName: { form: forms.dnsSubdomain },
    },
    rules: [exactlyOne('one-claim-source', ['resourceClaimName', 'resourceClaimTemplateName'])],
  },
};
