import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { gzip } from '../../../../stacks/plan/bootstrap/gzip/gzip';
import { controlPlaneUserData } from '../../../../stacks/plan/bootstrap';
import { controlPlane, firstControlPlaneNode } from './example-cluster';

const unpacked = (text: string): string => gunzipSync(gzip(text)).toString('utf8');

test('compressed data decompresses to the input', () => {
  const word = fc.constantFrom('etcd', ' --', '\n', 'kube', 'ü', '😀', 'a'.repeat(300));
  fc.assert(fc.property(fc.array(word, { maxLength: 400 }), (words) => unpacked(words.join('')) === words.join('')));
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 2000 }), (text) => unpacked(text) === text));
});

test('finds a repetition at the maximum distance of the format', () => {
  const text = `needle-in-a-haystack${Array.from({ length: 6400 }, (_, index) => String(index).padStart(5, '0')).join('')}needle-in-a-haystack`;
  expect(unpacked(text)).toBe(text);
});

test('user data is at most 5% larger than with gzip itself', () => {
  const { text, bytes } = controlPlaneUserData(controlPlane, firstControlPlaneNode);
  expect(bytes).toBeLessThan(1.05 * gzipSync(text, { level: 9 }).length);
});
