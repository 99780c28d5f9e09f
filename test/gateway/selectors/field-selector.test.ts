import fc from 'fast-check';
import { requestInfo } from '../../../lib/gateway/requests/request-info';
import { parseFieldSelector } from '../../../lib/gateway/selectors/field-selector';

/** Returns the name that authorization takes from a field selector. */
const selectedName = (fieldSelector: string): string | undefined =>
  requestInfo('GET', '/api/v1/pods', new URLSearchParams({ fieldSelector }))?.selectedName;
const known = ['metadata.name', 'metadata.namespace', 'spec.nodeName'];
const field = fc.constantFrom(...known);
const value = fc.constantFrom('', 'one', 'two', 'node-1', 'x y', '*');
const term = fc.record({ field, operator: fc.constantFrom('=', '==', '!='), value });
const fields = fc.dictionary(field, value);

test('a selector selects what meets each of its terms; a missing field counts as empty', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 4 }), fields, (terms, object) => {
      const text = terms.map((part) => `${part.field}${part.operator}${part.value}`).join(',');
      const expected = terms.every(
        (part) => ((object[part.field] ?? '') === part.value) === ['=', '=='].includes(part.operator),
      );
      expect(parseFieldSelector(text, known)?.matches(object)).toBe(expected);
    }),
  );
});

test('the name that authorization sees is that of the first term which requires one', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 4 }), (terms) => {
      const text = terms.map((part) => `${part.field}${part.operator}${part.value}`).join(',');
      const first = terms.find((part) => part.field === 'metadata.name' && part.operator !== '!=');
      expect(selectedName(text)).toBe(first?.value === '' ? undefined : first?.value);
    }),
  );
});

test('whatever passes for a name is selected by it alone', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 4 }), fields, (terms, object) => {
      const text = terms.map((part) => `${part.field}${part.operator}${part.value}`).join(',');
      const name = selectedName(text);
      if (name !== undefined && parseFieldSelector(text, known)?.matches(object) === true)
        expect(object['metadata.name'] ?? '').toBe(name);
    }),
  );
});

test.each([
  ...['spec.host=x', 'metadata.name', 'metadata.name=a=b', 'metadata.name=a!b', '=x', '!=x', 'metadata.name =x'],
  ...['metadata.name=a\\,b', 'metadata.name=a,status.phase=Running', 'metadata.name>a', ' metadata.name=x'],
])('%j is left to the API server', (text) => {
  expect(parseFieldSelector(text, known)).toBeUndefined();
});

test('empty terms are ignored, as at the API server', () => {
  expect(parseFieldSelector(',metadata.name=a,,', known)?.matches({ 'metadata.name': 'a' })).toBe(true);
  expect(selectedName(',metadata.name=a,,')).toBe('a');
  expect(parseFieldSelector(',', known)?.matches({})).toBe(true);
});

test.each([
  ['32 requirements', Array.from({ length: 32 }, () => 'metadata.name!=a').join(','), true],
  ['33 requirements', Array.from({ length: 33 }, () => 'metadata.name!=a').join(','), false],
  ['1,000 characters', `metadata.name!=${'a'.repeat(985)}`, true],
  ['1,001 characters', `metadata.name!=${'a'.repeat(986)}`, false],
])('a selector of %s is matched here: %#', (_what, text, isMatched) => {
  expect(parseFieldSelector(text, known)?.matches({})).toBe(isMatched ? true : undefined);
});
