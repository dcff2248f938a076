/** The log of a real process: one JSON line for every answer, found by the id that the answer carries, with nothing in it that opens a door. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { logName } from '#server/services/kit/log-name.ts';
import { ask, until } from '#tests/support/make.ts';
import { makeData, startProduct, type Product } from '#tests/support/product.ts';

interface Line {
  time: string;
  level: number;
  req_id?: string;
  status?: number;
  code?: string;
  why?: string;
  order_id?: string;
}

function linesOf({ lines }: Product): Line[] {
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
}

/** What comes back on a bare connection. */
async function sendRaw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

test('every answer is found in the log by its id, also one that was given early; causes have a line', async () => {
  const data = await makeData('sqlite', inject('postgresUrl'));
  const env = { ...data.env, LOG_LEVEL: 'info' };
  try {
    await using product = await startProduct({ ...data, env });
    const answers = [
      await ask(product, 'GET', '/'),
      await ask(product, 'GET', '/api/event/la-locandiera/'),
      await ask(product, 'GET', '/api/nothing-here'),
      await ask(product, 'POST', '/api/auth/login', {
        body: { email: 'zoe@posta.it', password: 'parola' },
      }),
      await ask(product, 'POST', '/api/auth/login', {
        raw: 'x'.repeat(70_000),
        headers: { 'content-type': 'application/json' },
      }),
      await ask(product, 'POST', '/api/webhooks/stripe', { raw: '{}' }),
      await ask(product, 'GET', '/api/admin/orders/Zb8rVq2LkT0aWm5sXy7cD1eF9gH3', {
        headers: { cookie: 'sid=gettone-segreto' },
      }),
    ];
    const early = [
      await sendRaw(product.url, 'GET ftp://x/ HTTP/1.1\r\nHost: a\r\n\r\n'),
      await sendRaw(product.url, 'NONSENSE\r\n\r\n'),
      await sendRaw(product.url, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`),
    ];
    expect(early.map((answer) => answer.slice(9, 12))).toEqual(['400', '400', '431']);
    const ids = [
      ...answers.map(({ headers }) => headers.get('x-request-id')),
      ...early.map((answer) => /x-request-id: (\S+)/i.exec(answer)?.[1]),
    ];
    // The product says other things, too: what counts is that each answer has its line.
    const unfound = () => ids.filter((id) => !linesOf(product).some(({ req_id }) => req_id === id));
    await until(async () => unfound().length === 0).catch(() => {});
    expect(unfound()).toEqual([]);
    const lines = linesOf(product);
    expect(new Set(ids).size).toBe(ids.length);
    expect(lines.filter(({ time }) => new Date(time).toISOString() !== time)).toEqual([]);
    expect(lines.find(({ code, why }) => code === 'webhook_signature' && why)?.why).toMatch(
      /signature/i,
    );
    expect(lines.find(({ order_id }) => order_id)?.order_id).toBe(
      logName('Zb8rVq2LkT0aWm5sXy7cD1eF9gH3'),
    );
    expect(product.lines.slice(3).join('\n')).not.toMatch(
      /zoe@posta|parola|gettone|Zb8rVq2LkT0aWm5sXy7cD1eF9gH3/,
    );
  } finally {
    await data.clean();
  }
}, 90_000);

/** What a real log writes of a fault that comes again and again, and after a minute. */
const repeatFault = `
  import { mock } from 'node:test';
  import { makeLog } from './server/log.ts';
  mock.timers.enable({ apis: ['setTimeout'] });
  const log = makeLog({ logLevel: 'info' });
  const full = () => Object.assign(new Error('no space left for page ' + Math.random()), { code: 'X' });
  for (let n = 0; n < 5000; n += 1) {
    log.error({ err: full(), task: 'send_mail', subject: 'id' + n }, 'task failed');
    log.warn({ err: new Error('other') }, 'lease not renewed');
    if (n < 3) log.info({ n }, 'answered');
  }
  mock.timers.tick(60_000);
  mock.timers.tick(60_000);
  mock.timers.tick(60_000);
  log.error({ err: full(), task: 'send_mail' }, 'task failed');
  log.error({ err: Object.assign(new Error('not pa"role 5432 <zoe@posta.it>'), { port: 5432 }) }, 'mail');
  for (const job of ['forget_deliveries', 'forget_unused_images'])
    log.error({ err: new Error('of mx18t5q1ngAEuOrSRO6IJ' + Math.random()), job }, 'job failed');
`;

test('a fault that repeats has one line, and one a minute with the number of the others; a secret is hidden in any spelling', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', repeatFault],
    {
      cwd: join(import.meta.dirname, '../../..'),
      env: { ...process.env, SMTP_URL: 'smtp://u:5432@posta.it', BACKUP_PASSPHRASE: 'pa"role' },
    },
  );
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  const [failed, lease] = [{ msg: 'task failed' }, { msg: 'lease not renewed' }];
  expect(lines).toMatchObject([
    { ...failed, err: { stack: expect.any(String) } },
    { ...lease, err: {} },
    ...[0, 1, 2].map((n) => ({ msg: 'answered', n })),
    { ...failed, why: expect.any(String), others: 4_999 },
    { ...lease, others: 4_999 },
    failed,
    { err: { message: 'not … … <…@…>', port: 5432 } },
    { job: 'forget_deliveries' },
    { job: 'forget_unused_images' },
  ]);
  expect(stdout.length).toBeLessThan(5_000);
});
