/** A real process whose PostgreSQL falls silent, then is away: told in words with 503, one line in the log, and all is as before when it is back. */
import { expect, inject, test } from 'vitest';
import { ask, demoEvent, until } from '#tests/support/make.ts';
import { makeData, startProduct, type Product } from '#tests/support/product.ts';
import { startLine } from '#tests/support/silent-line.ts';
import { away, expectPage } from './database-away.ts';

const nobody = '/api/orders/nessuno-con-questo-nome';

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const began = performance.now();
  const value = await run();
  return { value, ms: performance.now() - began };
}

async function expectWell(product: Product): Promise<void> {
  await until(async () => (await ask(product, 'GET', '/readyz')).status === 200, 30_000);
  expect((await ask(product, 'GET', nobody)).status).toBe(404);
  expect((await fetch(`${product.url}/event/${demoEvent}`)).status).toBe(200);
}

test('PostgreSQL behind a line that falls silent, then away: 503 within the deadline, few lines, back by itself, and a stop ends', async () => {
  const data = await makeData('postgres', inject('postgresUrl'));
  await using line = await startLine(data.env['DATABASE_URL']!);
  try {
    const product = await startProduct({
      ...data,
      env: { ...data.env, DATABASE_URL: line.url, LOG_LEVEL: 'warn' },
    });
    await expectWell(product);

    line.silence();
    const red = await timed(() =>
      until(async () => (await ask(product, 'GET', '/readyz')).status === 503),
    );
    expect(red.ms).toBeLessThan(2_500);
    const asked = await Promise.all(
      Array.from({ length: 12 }, () => timed(() => ask(product, 'GET', nobody))),
    );
    expect(new Set(asked.map(({ value }) => value.status))).toEqual(new Set([503]));
    expect(asked.every(({ value }) => value.headers.get('retry-after') !== null)).toBe(true);
    expect(Math.max(...asked.map(({ ms }) => ms))).toBeLessThan(16_000);
    await line.mend();
    await expectWell(product);

    await line.cut();
    const linesBefore = product.lines.length;
    const began = performance.now();
    for (let n = 0; n < 200; n += 1) expect((await ask(product, 'GET', nobody)).body).toEqual(away);
    for (const path of ['/', `/event/${demoEvent}`, '/orders/xyz'])
      await expectPage(`${product.url}${path}`);
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    const lines = product.lines.slice(linesBefore);
    expect(lines.join('\n').length).toBeLessThan((seconds + 1) * 1_000);
    expect(lines.length).toBeLessThanOrEqual(seconds + 1);
    await line.mend();
    await expectWell(product);

    line.silence();
    const stopped = await timed(async () => {
      process.kill(product.pid, 'SIGTERM');
      await until(() => Promise.resolve(!isAlive(product.pid)), 16_000);
    });
    expect(stopped.ms).toBeLessThan(15_000);
  } finally {
    await data.clean();
  }
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
