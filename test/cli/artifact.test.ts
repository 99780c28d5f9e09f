import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { publicKeyText } from '../../lib/artifact';
import { readDocuments } from '../../lib/yaml';
import { published } from '../artifact/artifact-fixture';
import { artifact, image, jenkins, publish, signingKey, workflow } from './publish-fixture';
import { writeFiles, testFolder, pinion, service } from './terminal';

test('shows the objects of a published artifact, and a stage that trusts its publisher accepts it', async () => {
  writeFiles({
    'pinion.platform.yaml': `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec:
  team: commerce
  stages:
    - name: production
      clusters: [prod-1]
      publishers:
        - issuer: https://jenkins.example.com
          repository: git.example.com/commerce/shop
          ref: refs/heads/main
          keys: ['${publicKeyText(signingKey)}']
`,
  });
  const result = await publish(['--version', '2', '--review', 'https://git.example.com/pull/7', `image=${image}`]);
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(result.out).toMatch(
    /^shop\/web@2 sha256:[0-9a-f]{64} published\nin .pinion\/artifacts, .*\nfrom git.example.com\/commerce\/shop refs\/heads\/main 3f78/,
  );
  const shown = await artifact('show', 'shop/web@2', '-o', 'yaml');
  expect(readDocuments(shown.out, 'out').documents.map(({ value }) => value)).toEqual(
    readDocuments(service('cart').replace('registry.example.com/app:1.4.2', image), 'in').documents.map(
      ({ value }) => value,
    ),
  );
  expect((await artifact('show', 'shop/web@2')).out).toContain('review https://git.example.com/pull/7');
  expect(await artifact('verify', 'shop/web@2')).toMatchObject({
    code: 0,
    out: 'stage production: accepted, git.example.com/commerce/shop refs/heads/main (https://jenkins.example.com)\n',
  });
  expect((await artifact('list', 'shop')).out).toContain(`shop/web@2  ${published}`);

  await publish(['--version', '3', `image=${image}`], { ...jenkins, BRANCH_NAME: 'topic' });
  const rejected = await artifact('verify', 'shop/web@3');
  expect(rejected.code).toBe(1);
  expect(rejected.out).toContain(
    'stage production: rejected\npinion.platform.yaml:7:7: error untrusted-artifact: Project shop: spec.stages[0]: "shop/web@3" was published by git.example.com/commerce/shop at refs/heads/topic',
  );
});

test('rejects an artifact signed with another key, and names the stage and the public key to add', async () => {
  const publisher = (key: KeyObject) => `      publishers:
        - issuer: https://jenkins.example.com
          repository: git.example.com/commerce/shop
          ref: refs/heads/main
          keys: ['${publicKeyText(key)}']
        - {issuer: https://jenkins.example.com, repository: git.example.com/commerce/other, ref: refs/heads/main}
`;
  writeFiles({
    'pinion.platform.yaml': `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec:
  team: commerce
  stages:
    - name: staging
    - name: production
      clusters: [prod-1]
${publisher(generateKeyPairSync('ed25519').privateKey)}`,
    'web.workflow.yaml': workflow().replace('stages: [', 'stages: [{name: staging, targets: [staging-1]}, '),
  });
  await publish(['--version', '2', `image=${image}`]);
  const { code, out } = await artifact('verify', 'shop/web@2');
  expect(code).toBe(1);
  expect(out).toBe(`stage staging: accepted, not protected
stage production: rejected
pinion.platform.yaml:8:7: error untrusted-artifact: Project shop: spec.stages[1]: "shop/web@2" is not signed with a key of git.example.com/commerce/shop; sign with a key that the Project lists, or add the public key of the signing key there, as printed by "openssl pkey -in KEY -pubout -outform DER | base64 -w0"
`);
});

test('rejects a tag in a protected stage, as its clusters do, and names the workload and field', async () => {
  writeFiles({
    'project.yaml': `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec:
  team: commerce
  stages:
    - {name: staging, clusters: [staging-1]}
    - name: production
      clusters: [prod-1]
      publishers:
        - issuer: https://jenkins.example.com
          repository: git.example.com/commerce/shop
          ref: refs/heads/main
          keys: ['${publicKeyText(signingKey)}']
`,
    'web.workflow.yaml': workflow()
      .replace(/ {2}properties:\n.*\n/, '')
      .replace('stages: [', 'stages: [{name: staging, targets: [staging-1]}, '),
  });
  expect(await publish(['--version', '2'])).toMatchObject({ code: 0 });
  const { code, out } = await artifact('verify', 'shop/web@2', '--platform', 'project.yaml');
  expect(out).toBe(`stage staging: accepted, not protected
stage production: rejected
error bad-format: PinterestService shop/cart: spec.template.spec.containers[0].image: "registry.example.com/app:1.4.2" has no digest; a protected stage runs images by digest only, because a tag can move; add the digest of the image, as in registry.example.com/cart:1.4.2@sha256:…
`);
  expect(code).toBe(1);
});

test.each([
  [['show', 'shop/web'], 'shop/web has no version; use shop/web@VERSION ("pinion artifact list shop/web" lists them)'],
  [['list', '--keep', '2', '--stage', 'prod'], 'unknown option --keep'],
  [['verify', 'web@2'], '"web@2" is not an artifact; use PROJECT/NAME@VERSION or sha256:DIGEST'],
])('artifact %j is a usage error', async (argv, message) => {
  expect(await artifact(...argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});

test('verify reports a missing platform file and reads nothing else', async () => {
  await publish(['--version', '2', `image=${image}`]);
  expect(await artifact('verify', 'shop/web@2', '--platform', 'nosuch')).toEqual({
    code: 3,
    out: '',
    err: 'nosuch:1:1: error parse-error: (document): does not exist; name a file or folder that can be read\n',
  });
});

test.each([
  [
    ['artifact', 'list', '--store', 'gs://bucket/x'],
    '--store must be a folder, s3://BUCKET or s3://BUCKET/PREFIX, not "gs://bucket/x"',
  ],
  [['artifact', 'list', 'shop/web@1.4.2'], 'artifact list takes PROJECT or PROJECT/NAME, not "shop/web@1.4.2"'],
  [['artifact', 'list', '/'], 'artifact list takes PROJECT or PROJECT/NAME, not "/"'],
])('pinion %j is a usage error', async (argv, message) => {
  writeFiles({});
  expect(await pinion(argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});

test('reports an empty list with its store', async () => {
  const emptyList = (scope: string, store: string) => ({
    code: 0,
    out: `no published versions${scope} in ${store}; compare --store and PINION_STORE with the settings of the publisher\n`,
  });
  expect(await artifact('list')).toMatchObject(emptyList('', '.pinion/artifacts'));
  expect(await artifact('list', '--store', 's', '-o', 'json')).toMatchObject({ code: 0, out: '[]\n' });
  await publish(['--version', '2', `image=${image}`]);
  expect(await artifact('list', 'shop/till')).toMatchObject(emptyList(' of shop/till', '.pinion/artifacts'));
});

test('reports a version with a corrupt file by name, and lists the others', async () => {
  await publish(['--version', '2', `image=${image}`]);
  await publish(['--version', '3', `image=${image}`]);
  const damaged = join(testFolder(), '.pinion/artifacts/versions/shop/web/2');
  rmSync(damaged);
  writeFiles({ '.pinion/artifacts/versions/shop/web/2': '{"digest":"sha' });
  const { code, out, err } = await artifact('list');
  expect(code).toBe(1);
  expect(out).toMatch(/^ARTIFACT .*\nshop\/web@3 .*\n$/);
  expect(err).toBe(
    'error untrusted-artifact: (document): "versions/shop/web/2" is damaged in the store .pinion/artifacts; find out who wrote to the store, and restore the file from a backup\n',
  );
  const json = await artifact('list', '-o', 'json');
  expect([json.code, JSON.parse(json.out)]).toMatchObject([1, [{ version: '3' }]]);
  expect(await artifact('prune', '--keep', '1')).toMatchObject({
    code: 3,
    err: expect.stringMatching(
      /versions\/shop\/web\/2 is corrupt; find out who modified .* restore the file from a backup/,
    ),
  });
});

test('prune deletes no recent artifact, and arguments are validated', async () => {
  await publish(['--version', '2', `image=${image}`]);
  expect(await artifact('prune', '--keep', '1', '--days', '0')).toMatchObject({ code: 0, out: '', err: '0 removed\n' });
  for (const argv of [
    ['prune'],
    ['prune', '--keep', '0'],
    ['prune', '--keep', 'all'],
    ['prune', 'shop', '--keep', '1'],
    ['show'],
    ['frob'],
    [],
  ])
    expect(await artifact(...argv)).toMatchObject({ code: 2 });
  expect(await artifact('show', 'shop/web@9')).toMatchObject({ code: 1 });
  expect((await artifact('show', 'shop/web@2', '--stage', 'prod')).err).toContain(
    'shop/web@2 has no stage prod; use production',
  );
});

test('an artifact of a Project without a manifest is not verified', async () => {
  await publish(['--version', '2', `image=${image}`]);
  const { code, err } = await artifact('verify', 'shop/web@2');
  expect(code).toBe(1);
  expect(err).toContain(
    'error unknown-reference: (document): "shop" not found; platform: built-in (no pinion.platform.yaml found); pass the manifests of the cluster with --platform; "pinion platform pull" writes them',
  );
});

test('reports a file at the path of the store folder', async () => {
  writeFiles({ text: '' });
  expect(await pinion(['artifact', 'list', '--store', 'text'])).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^pinion: \S+\/text: is not a folder\n$/) as string,
  });
});
