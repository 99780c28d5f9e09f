import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type DeploymentEvent, type Phase } from '../../lib/contract';
import { inTurn, token, type Reply } from '../contract/contract-server';
import { frame, id, makePreview, makeDeployment, makeEvent } from '../contract/sample-resources';
import { runWithService, atTerminal, service } from './run-with-service';
import { writeFiles, testFolder, pinion } from './terminal';

const deploy = ['deploy', 'shop/cart@1.4.2', '--to', 'prod'];
const accepted = (): Reply => ({ value: makeDeployment('pending') });
const stream = (...events: readonly DeploymentEvent[]) => ({
  stream: (response: { end(text: string): unknown }) => void response.end(events.map(frame).join('')),
});
const cause = {
  owner: 'application',
  reason: 'CrashLoop',
  message: 'app ends with code 3;\nlook at its log',
  object: 'Pod/cart-1',
} as const;
const unready = (phase: Phase) =>
  makeDeployment(phase, {
    previous: { version: '1.4.1', digest: makeDeployment().digest },
    cause,
    targets: [
      {
        name: 'prod-1',
        phase: 'progressing',
        workloads: [
          {
            kind: 'PinterestService',
            name: 'cart',
            change: 'changed',
            applied: true,
            ready: false,
            progress: '2/3 ready',
            cause,
          },
          { kind: 'PinterestCronJob', name: 'sweep', change: 'created', applied: false, ready: false },
          { kind: 'PinterestDaemon', name: 'fine', change: 'unchanged', applied: true, ready: true },
          { kind: 'PinterestJobSet', name: 'old', change: 'removed', applied: true, ready: false },
        ],
      },
    ],
  });

describe('without a terminal', () => {
  test('sends the deployment immediately with a random key and prints the result', async () => {
    service.replies = { deploy: accepted };
    const result = await runWithService(deploy);
    expect(result).toEqual({
      code: 0,
      out: `shop/cart@1.4.2 is starting in prod (${id})\n`,
      err: `"pinion status ${id} --wait" follows it\n`,
    });
    await runWithService(deploy);
    expect(service.names).toEqual(['deploy', 'deploy']);
    expect(service.requests[0]?.body).toEqual({ artifact: 'shop/cart@1.4.2', stage: 'prod' });
    expect(service.requests[0]?.key).not.toBe(service.requests[1]?.key);
    expect(service.headers[0]?.['user-agent']).toMatch(/^pinion-cli\/\d/);
  });

  test('--wait prints each event on its own line and ends when the deployment is Ready', async () => {
    const workload = { kind: 'PinterestService', name: 'cart' } as const;
    service.replies = {
      deploy: accepted,
      follow: () =>
        stream(
          makeEvent(1, 'applying'),
          makeEvent(2, 'progressing', { target: 'prod-1', workload, message: '2/3 ready' }),
          makeEvent(3, 'progressing', { target: 'prod-1', workload, message: '\u001b[2Jnot yet', cause }),
          makeEvent(4, 'ready'),
        ),
      deployment: () => ({ value: makeDeployment('ready') }),
    };
    const { code, out, err } = await runWithService([...deploy, '--wait']);
    expect([code, out]).toEqual([0, `shop/cart@1.4.2 is Ready in prod (${id})\n`]);
    expect(err.split('\n')).toEqual([
      '14:00:01 applying    it is applying',
      '14:00:02 progressing prod-1 PinterestService/cart: 2/3 ready',
      '14:00:03 progressing prod-1 PinterestService/cart: \ufffd[2Jnot yet; application: CrashLoop: app ends with code 3; look at its log (Pod/cart-1)',
      '14:00:04 ready       it is ready',
      '',
    ]);
  });

  test('a service that restarts during a wait only delays the result', async () => {
    let connections = 0;
    service.replies = {
      deploy: () => (service.names.length === 1 ? 'break' : accepted()),
      follow: ({ lastEventId }) => {
        if (connections++ > 0)
          return stream(
            ...[1, 2, 3].slice(Number(lastEventId)).map((n) => makeEvent(n, n === 3 ? 'ready' : 'progressing')),
          );
        return {
          stream: (response) => {
            response.write(frame(makeEvent(1, 'progressing')));
            setTimeout(() => void service.stop().then(() => setTimeout(() => void service.start(), 20)), 20);
          },
        };
      },
      deployment: () => ({ value: makeDeployment('ready') }),
    };
    const { code, err } = await runWithService([...deploy, '--wait']);
    expect(code).toBe(0);
    expect(err.match(/it is \w+/g)).toEqual(['it is progressing', 'it is progressing', 'it is ready']);
    const keys = service.requests.filter(({ name }) => name === 'deploy').map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  test.each([
    ['failed', 'did not become Ready in prod; what was applied is kept'],
    ['rolledBack', 'did not become Ready in prod; rolled back to 1.4.1'],
    ['superseded', 'was superseded in prod by a later deployment'],
    ['cancelled', 'was canceled before it started in prod'],
  ] as const)(
    'a deployment that ends as %s is exit code 1, with the unready workloads and their causes',
    async (phase, text) => {
      service.replies = {
        deploy: accepted,
        follow: () => stream(makeEvent(1, phase)),
        deployment: () => ({ value: unready(phase) }),
      };
      const { code, out } = await runWithService([...deploy, '--wait']);
      expect(code).toBe(1);
      expect(out).toBe(
        [
          `shop/cart@1.4.2 ${text} (${id})`,
          '  application: CrashLoop: app ends with code 3; look at its log (Pod/cart-1)',
          '  prod-1 PinterestService/cart: not Ready, 2/3 ready; CrashLoop',
          '  prod-1 PinterestCronJob/sweep: not applied',
          '',
        ].join('\n'),
      );
    },
  );

  test('a cause of several events and workloads is printed in full once, then only its reason', async () => {
    const cause = { owner: 'application', reason: 'CrashLoop', message: 'app ends with code 3' } as const;
    const workload = { kind: 'PinterestService', name: 'cart' } as const;
    const status = { ...workload, change: 'changed', applied: true, ready: false, cause } as const;
    const target = (name: string) => ({ name, phase: 'failed' as const, workloads: [status] });
    const progressing = (number: number, target: string) =>
      makeEvent(number, 'progressing', { target, workload, message: cause.message, cause });
    service.replies = {
      deploy: accepted,
      follow: () =>
        stream(
          progressing(1, 'prod-1'),
          progressing(2, 'prod-2'),
          makeEvent(3, 'rollingBack', { message: `failed: ${cause.message}; rolling back to 1.4.1`, cause }),
          makeEvent(4, 'rolledBack', { message: 'rolled back to 1.4.1', cause }),
        ),
      deployment: () => ({
        value: makeDeployment('rolledBack', { targets: [target('prod-1'), target('prod-2')] }),
      }),
    };
    const { out, err } = await runWithService([...deploy, '--wait']);
    expect(err.split('\n')).toEqual([
      '14:00:01 progressing prod-1 PinterestService/cart: application: CrashLoop: app ends with code 3',
      '14:00:02 progressing prod-2 PinterestService/cart: CrashLoop',
      '14:00:03 rollingBack failed: CrashLoop; rolling back to 1.4.1',
      '14:00:04 rolledBack  rolled back to 1.4.1',
      '',
    ]);
    expect(out.split('\n').slice(1)).toEqual([
      '  prod-1 PinterestService/cart: not Ready; application: CrashLoop: app ends with code 3',
      '  prod-2 PinterestService/cart: not Ready; CrashLoop',
      '',
    ]);
  });

  test('a timeout of the wait prints what is not ready and that the deployment continues, with exit code 5', async () => {
    service.replies = {
      deploy: accepted,
      follow: () => ({ stream: (response) => void response.write(frame(makeEvent(1, 'progressing'))) }),
      deployment: () => ({ value: unready('progressing') }),
    };
    const { code, out, err } = await runWithService([...deploy, '--wait', '--timeout', '8s']);
    expect(code).toBe(5);
    expect(out).toContain('shop/cart@1.4.2 was applied in prod; not everything is Ready yet');
    expect(out).toContain('  prod-1 PinterestCronJob/sweep: not applied\n');
    expect(err).toContain(`timed out; the deployment continues; "pinion status ${id} --wait" follows it`);
  });

  test('a timeout of the wait is reported even if the service is unavailable by then', async () => {
    service.replies = { deploy: accepted, follow: () => 'break', deployment: () => 'break' };
    const { code, err } = await runWithService([...deploy, '--wait', '--timeout', '2s']);
    expect(code).toBe(5);
    expect(err).toContain('timed out, and the service does not respond; the deployment continues');
  });

  test('an interrupt during the wait prints that the deployment continues and how to follow it', async () => {
    let stop = (): void => undefined;
    let printed = '';
    service.replies = {
      deploy: accepted,
      follow: () => ({
        stream: (response) => {
          stop();
          response.end(frame(makeEvent(1, 'ready')));
        },
      }),
      deployment: () => ({ value: makeDeployment('ready') }),
    };
    const onStop = (cleanup: () => void) => {
      stop = cleanup;
      return () => (stop = () => void (printed += 'called too late'));
    };
    await runWithService([...deploy, '--wait'], { onStop, writeError: (text) => void (printed += text) });
    expect(printed).toContain(`the deployment continues; "pinion status ${id} --wait" follows it\n`);
  });

  test('an interrupt before the response prints how to find out the result', async () => {
    let stop = (): void => undefined;
    let printed = '';
    service.replies = {
      deploy: () => {
        stop();
        return accepted();
      },
    };
    const onStop = (cleanup: () => void) => {
      stop = cleanup;
      return () => (stop = () => undefined);
    };
    await runWithService([...deploy, '--idempotency-key', 'key-of-mine'], {
      onStop,
      writeError: (text) => void (printed += text),
    });
    expect(printed).toContain('rerun with --idempotency-key key-of-mine to see the result');
  });

  test('--json prints one document, and events go to standard error', async () => {
    service.replies = {
      deploy: accepted,
      follow: () => stream(makeEvent(1, 'ready')),
      deployment: () => ({ value: makeDeployment('ready') }),
    };
    const { out, err } = await runWithService([...deploy, '--wait', '--json']);
    expect(JSON.parse(out)).toEqual({ deployment: makeDeployment('ready') });
    expect(err).toBe('14:00:01 ready       it is ready\n');
  });
});

describe('rejections', () => {
  const problems = [
    {
      code: 'untrusted-artifact',
      path: ['stage'],
      value: 'prod',
      reason: 'does not accept this publisher',
      remedy: 'publish it by the CI of main',
    },
    {
      code: 'out-of-range',
      path: ['spec', 'replicas'],
      object: 'PinterestService shop/cart',
      value: 9,
      reason: 'is too much',
      remedy: 'ask for more quota',
    },
  ];
  const exceeded = makePreview(
    { decision: 'refuse' },
    {
      fits: false,
      nearestFit: 'PinterestService cart with 4 replicas',
      resources: [
        {
          resource: 'requests.cpu',
          requested: '15',
          now: '3',
          usedByOthers: '11',
          hard: '20',
          available: '9',
          fits: false,
        },
      ],
    },
  );

  test('prints all problems with their remedies, and the figures of an exceeded quota', async () => {
    service.replies = {
      deploy: () => ({ fails: 403, details: { detail: 'It is refused.', problems, preview: exceeded } }),
    };
    const { code, out, err } = await runWithService([...deploy, '--wait']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('pinion: It is refused.\n');
    expect(err).toContain(
      'error untrusted-artifact: stage: "prod" does not accept this publisher; publish it by the CI of main\n',
    );
    expect(err).toContain(
      'error out-of-range: PinterestService shop/cart: spec.replicas: 9 is too much; ask for more quota\n',
    );
    expect(err).toMatch(/requests\.cpu +3 +15 +9 +20 +does not fit/);
    expect(err).toContain('what would fit: PinterestService cart with 4 replicas');
  });

  test('JSON output contains the failure', async () => {
    service.replies = { deploy: () => ({ fails: 409, details: { title: 'Another body', problems } }) };
    const { code, out } = await runWithService([...deploy, '-o', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ failure: { status: 409, title: 'Another body', problems: [{}, {}] } });
  });

  test('reports a rejected token without its value', async () => {
    const { code, err } = await runWithService(deploy, { environment: { PINION_TOKEN: 'b2xk.dG9rZW4' } });
    expect([code, err]).toEqual([3, expect.stringContaining('the token was rejected')]);
    expect(err).not.toContain('b2xk');
  });

  test.each<[string, () => Reply, string]>([
    ['an unreachable service', () => 'break', 'cannot connect to'],
    ['an overloaded service', () => ({ fails: 429, headers: { 'retry-after': '600' } }), 'retry in 600 s'],
    ['a service that fails', () => ({ fails: 500, details: { title: 'Oh' } }), 'pinion: Oh'],
  ])('%s is exit code 3', async (_, reply, text) => {
    service.replies = { deploy: reply };
    const { code, err } = await runWithService(deploy);
    expect([code, err]).toEqual([3, expect.stringContaining(text)]);
  });
});

describe('at a terminal', () => {
  beforeEach(() => {
    service.replies = { preview: () => ({ value: makePreview() }), deploy: accepted };
  });

  test('names the variants whose pods restart', async () => {
    const fields = [{ path: 'spec.variants[v2].image', from: 'reviews:2.0', to: 'reviews:2.1' }];
    const change = { kind: 'PinterestService', name: 'reviews', change: 'changed', restarts: true, fields } as const;
    const preview = makePreview({}, { changes: [{ ...change, restartedVariants: ['v2', 'v3'] }] });
    service.replies = { preview: () => ({ value: preview }), deploy: accepted };
    const { out } = await runWithService(deploy, { ...atTerminal, stdin: 'y\n' });
    expect(out.split('\n').slice(2, 4)).toEqual([
      '  changed  PinterestService/reviews: the pods of v2, v3 are replaced',
      '    ~ spec.variants[v2].image: "reviews:2.0" → "reviews:2.1"',
    ]);
  });

  test('shows changes, restarts and available quota before it asks for confirmation', async () => {
    const { code, out, err } = await runWithService(deploy, { ...atTerminal, stdin: 'y\n' });
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'shop/cart@1.4.2 to prod: it would start now',
      'prod-1',
      '  changed  PinterestService/cart: its pods are replaced',
      '    because of spec.template.spec.containers[0].image',
      '    because of RuntimeProfile standard-2 spec.parts[logs]',
      '    ~ spec.replicas: 3 → 5',
      '    ~ spec.template.spec.containers[0].image: "cart:1.4.1" → "cart:1.4.2"',
      '    + spec.loadBalancer: {"port":80}',
      '  removed  PinterestJobSet/old',
      '  1 unchanged',
      '  RESOURCE      NOW  REQUESTED  AVAILABLE  QUOTA',
      '  requests.cpu  3    5          9          20',
      '  pods          4    6          -          -',
      `shop/cart@1.4.2 is starting in prod (${id})`,
      '',
    ]);
    expect(err).toContain('Deploy shop/cart@1.4.2 to prod? [y/N] ');
    expect(service.names).toEqual(['preview', 'deploy']);
  });

  test.each(['n\n', '', 'Y?\n', 'yes please\n'])('any other answer deploys nothing: %j', async (stdin) => {
    const { code, err } = await runWithService(deploy, { ...atTerminal, stdin });
    expect([code, service.names]).toEqual([5, ['preview']]);
    expect(err).toContain('canceled');
  });

  test('--yes shows the preview and does not ask', async () => {
    const { err } = await runWithService([...deploy, '--yes'], atTerminal);
    expect([err.includes('[y/N]'), service.names]).toEqual([false, ['preview', 'deploy']]);
  });

  test('does not ask in CI, even at a terminal', async () => {
    const { err } = await runWithService(deploy, { ...atTerminal, environment: { CI: 'true' } });
    expect([err.includes('[y/N]'), service.names]).toEqual([false, ['deploy']]);
  });

  test('does not send a deployment that would be rejected', async () => {
    const problem = {
      code: 'untrusted-artifact',
      path: [],
      reason: 'has no signature',
      remedy: 'publish it by CI',
    };
    service.replies = { preview: () => ({ value: { ...makePreview({ decision: 'refuse' }), problems: [problem] } }) };
    const { code, err } = await runWithService([...deploy, '--yes'], atTerminal);
    expect([code, service.names]).toEqual([1, ['preview']]);
    expect(err).toContain('error untrusted-artifact: (document): has no signature; publish it by CI');
  });

  test('with --json, the preview is in the document and also readable on standard error', async () => {
    const { out, err } = await runWithService([...deploy, '--json'], { ...atTerminal, stdin: 'y' });
    expect(JSON.parse(out)).toEqual({ preview: makePreview(), deployment: makeDeployment('pending') });
    expect(err).toContain('~ spec.replicas: 3 → 5');
  });

  test('lines about the same workload replace each other, and lines with a cause stay', async () => {
    const workload = { kind: 'PinterestService', name: 'cart' } as const;
    const progressing = (number: number, message: string, over = {}) =>
      makeEvent(number, 'progressing', { target: 'prod-1', workload, message, ...over });
    service.replies = {
      ...service.replies,
      follow: () =>
        stream(progressing(1, '1/3'), progressing(2, '2/3'), progressing(3, 'no', { cause }), makeEvent(4, 'ready')),
      deployment: () => ({ value: makeDeployment('ready') }),
    };
    const { err } = await runWithService([...deploy, '--yes', '--wait'], atTerminal);
    const where = 'progressing prod-1 PinterestService/cart:';
    expect(err).toContain(`14:00:01 ${where} 1/3\r\u001b[K14:00:02 ${where} 2/3\n14:00:03 ${where} no; application`);
    expect(err.endsWith('14:00:04 ready       it is ready\n')).toBe(true);
  });
});

test('--check shows the preview and changes nothing, with or without a terminal', async () => {
  service.replies = { preview: () => ({ value: makePreview({ decision: 'queue' }) }) };
  const { code, out } = await runWithService([...deploy, '--check']);
  expect([code, service.names]).toEqual([0, ['preview']]);
  expect(out).toContain('shop/cart@1.4.2 to prod: it would be queued until there is capacity\n');
  expect(JSON.parse((await runWithService([...deploy, '--check', '--json'])).out)).toEqual({
    preview: makePreview({ decision: 'queue' }),
  });
});

test('the request contains the break-glass reason', async () => {
  service.replies = { deploy: accepted };
  await runWithService([...deploy, '--break-glass', 'the CI is down, shop is too']);
  expect(service.requests[0]?.body).toMatchObject({ breakGlass: 'the CI is down, shop is too' });
});

describe('idempotency keys', () => {
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'commerce/shop',
    GITHUB_RUN_ID: '77',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_JOB: 'deploy',
  };
  const gitlab = { GITLAB_CI: 'true', CI_SERVER_URL: 'https://gitlab.example.com', CI_JOB_ID: '77' };
  const jenkins = {
    JENKINS_URL: 'https://jenkins.example.com/',
    BUILD_URL: 'https://jenkins.example.com/job/shop/77/',
  };

  const keyIn = async (environment: Record<string, string>, argv = deploy): Promise<string | undefined> => {
    service.replies = { deploy: accepted };
    await runWithService(argv, { environment });
    return service.requests.at(-1)?.key;
  };

  test.each([
    ['GitHub Actions', github, { GITHUB_RUN_ATTEMPT: '2' }],
    ['GitLab', gitlab, { CI_JOB_ID: '78' }],
    ['Jenkins', jenkins, { BUILD_URL: 'https://jenkins.example.com/job/shop/78/' }],
  ])(
    'in %s the same attempt has the same key, and a rerun or another deployment has a different one',
    async (_, run, next) => {
      const key = await keyIn(run);
      expect(key).toMatch(/^ci-[0-9a-f]{40}$/);
      expect(await keyIn(run)).toBe(key);
      const others = [
        await keyIn({ ...run, ...next }),
        await keyIn(run, ['deploy', 'shop/cart@1.4.3', '--to', 'prod']),
        await keyIn(run, ['deploy', 'shop/cart@1.4.2', '--to', 'staging']),
      ];
      expect(new Set([key, ...others]).size).toBe(4);
    },
  );

  test('an explicit key takes precedence', async () => {
    expect(await keyIn(github, [...deploy, '--idempotency-key', 'release:2026-11-21'])).toBe('release:2026-11-21');
  });
});

describe('connection', () => {
  test('reads the token from its file for each request', async () => {
    writeFiles({ 'token.txt': `${token}\n` });
    service.replies = { deploy: accepted };
    const environment = { PINION_TOKEN: 'b2xk.dG9rZW4' };
    expect((await runWithService([...deploy, '--token-file', 'token.txt'], { environment })).code).toBe(0);
    const byVariable = { PINION_TOKEN: undefined, PINION_TOKEN_FILE: `${testFolder()}/token.txt` };
    expect((await runWithService(deploy, { environment: byVariable })).code).toBe(0);
    writeFiles({ 'token.txt': 'b2xk.dG9rZW4' });
    expect((await runWithService(deploy, { environment: byVariable })).code).toBe(3);
  });

  test('requests a GitHub Actions token for the right audience', async () => {
    const tokenRequests: (string | undefined)[] = [];
    const issuer: Server = createServer((request, response) => {
      tokenRequests.push(`${request.headers.authorization} ${request.url}`);
      response.end(JSON.stringify({ value: token }));
    });
    await new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done));
    const { port } = issuer.address() as AddressInfo;
    service.replies = { deploy: inTurn('break', accepted()) };
    const environment = {
      PINION_TOKEN: undefined,
      PINION_AUDIENCE: 'pinion',
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    };
    try {
      expect((await runWithService(deploy, { environment })).code).toBe(0);
      expect(tokenRequests).toEqual(['Bearer of-the-job /token?api-version=2&audience=pinion']);
    } finally {
      issuer.close();
      issuer.closeAllConnections();
    }
  });

  test.each([
    [{ PINION_SERVER: undefined }, 2, 'deploy requires --server URL; pass it or set PINION_SERVER'],
    [
      { PINION_SERVER: 'prod' },
      2,
      'PINION_SERVER must be an https URL without credentials or query (http only for localhost), not "prod"',
    ],
    [
      { PINION_SERVER: 'http://pinion.example.com' },
      2,
      'PINION_SERVER must be an https URL without credentials or query (http only for localhost), not "http://pinion.example.com"',
    ],
    [
      { PINION_SERVER: 'ftp://127.0.0.1' },
      2,
      'PINION_SERVER must be an https URL without credentials or query (http only for localhost), not "ftp://127.0.0.1"',
    ],
    [
      { PINION_SERVER: `https://ann:${token}@pinion.example.com` },
      2,
      'PINION_SERVER must be an https URL without credentials or query (http only for localhost)\n',
    ],
    [{ PINION_TOKEN: undefined }, 2, 'no token: pass --token-file FILE'],
    [{ PINION_TOKEN: undefined, PINION_TOKEN_FILE: 'none.txt' }, 3, 'none.txt: does not exist'],
    [{ PINION_TOKEN: `${token}\n${token}` }, 3, 'the token is empty or contains invalid characters'],
    [{ PINION_TOKEN: undefined, PINION_TOKEN_FILE: '/' }, 3, '/: is a folder'],
  ])('reports invalid connection settings: %j', async (environment, code, text) => {
    const result = await runWithService(deploy, { environment });
    expect(result).toEqual({ code, out: '', err: expect.stringContaining(text) as unknown });
    expect(service.requests).toEqual([]);
  });
});

test.each([
  [['deploy'], 'deploy requires PROJECT/WORKFLOW@VERSION: published artifact, such as shop/cart@1.4.2'],
  [
    ['deploy', 'a/b@1', 'c/d@1', '--to', 'prod'],
    'unexpected argument "c/d@1"; usage: pinion deploy --to STAGE [options] PROJECT/WORKFLOW@VERSION',
  ],
  [
    ['deploy', 'web.workflow.yaml', '--to', 'prod'],
    'web.workflow.yaml is a file or folder, and deploy takes only published artifacts: publish it with "pinion publish --version VERSION web.workflow.yaml", then use deploy PROJECT/WORKFLOW@VERSION',
  ],
  [
    ['deploy', './shop', '--to', 'prod'],
    './shop is a file or folder, and deploy takes only published artifacts: publish it with "pinion publish --version VERSION ./shop", then use deploy PROJECT/WORKFLOW@VERSION',
  ],
  [
    ['deploy', '-', '--to', 'prod'],
    '- is a file or folder, and deploy takes only published artifacts: publish it with "pinion publish --version VERSION -", then use deploy PROJECT/WORKFLOW@VERSION',
  ],
  [
    ['deploy', 'shop/cart', '--to', 'prod'],
    'shop/cart has no version; use shop/cart@VERSION ("pinion versions shop/cart" lists them)',
  ],
  [
    ['deploy', 'cart@1', '--to', 'prod'],
    '"cart@1" is not an artifact; use PROJECT/WORKFLOW@VERSION, such as shop/cart@1.4.2',
  ],
  [['deploy', 'shop/cart@1'], 'deploy requires --to STAGE'],
  [['deploy', 'shop/cart@1', '--to', 'Prod'], '--to must be the name of a stage, not "Prod"'],
  [[...deploy, '--timeout', '5m'], '--timeout requires --wait'],
  [[...deploy, '--wait', '--timeout', '5'], '--timeout must be a duration from 1ms to 576h, not "5"'],
  [[...deploy, '--wait', '--timeout', '25d'], '--timeout must be a duration from 1ms to 576h, not "25d"'],
  [[...deploy, '--wait', '--check'], '--check cannot be combined with --wait'],
  [[...deploy, '--break-glass', 'now'], '--break-glass must be a reason of 10 to 500 characters'],
  [[...deploy, '--idempotency-key', 'short'], '--idempotency-key must be 8 to 128 letters'],
  [['rollback', 'shop/cart@1.4.1', '--to', 'prod'], 'rollback takes a workflow; use shop/cart --version 1.4.1'],
  [['rollback', 'shop/cart', '--to', 'prod', '--version', '?'], '--version must be a version, such as 1.4.1, not "?"'],
  [['history', 'shop'], '"shop" is not a workflow; use PROJECT/WORKFLOW, such as shop/cart'],
  [['history', 'shop/cart', '--limit', '0'], '--limit must be an integer from 1 to 10000, not "0"'],
  [['cancel', 'shop/cart'], '"shop/cart" is not a deployment ID; "pinion history PROJECT/WORKFLOW" lists them'],
  [['status', '--wait'], '--wait requires PROJECT, PROJECT/WORKFLOW or the ID of a deployment'],
  [['status', 'shop/cart/x'], '"shop/cart/x" is not a project, PROJECT/WORKFLOW or the ID of a deployment'],
  [
    ['approve', 'cart.yaml', '--to', 'prod'],
    'cart.yaml is a file or folder, and approve takes only published artifacts: publish it with "pinion publish --version VERSION cart.yaml", then use approve PROJECT/WORKFLOW@VERSION',
  ],
])('a usage error suggests a correction and sends no request: %j', async (argv, text) => {
  const result = await runWithService(argv);
  expect([result.code, result.out, service.requests]).toEqual([2, '', []]);
  expect(result.err).toContain(text);
});

test('without a system connection the service is unavailable', async () => {
  expect(await pinion([...deploy, '--server', 'https://pinion.example.com'])).toMatchObject({ code: 3, out: '' });
});
