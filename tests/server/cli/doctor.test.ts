/** `doctor`: what is wrong is found with its mend, also while the server is down; the clock is compared with the providers'. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clockSkew } from '#server/services/office/clock-skew.ts';
import { askAdmin, runAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { ask, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { startSmtp } from '#tests/support/smtp.ts';

interface Told {
  state: string;
  about: string;
  words: string;
  mend?: string;
}

it('a healthy house is told line by line, and what is missing has its mend', async (server) => {
  await mkdir(join(server.settings['DATA_DIR']!), { recursive: true });
  await chmod(server.settings['DATA_DIR']!, 0o755);
  await makePairedPhone(server, await makeAdmin(server));
  await server.house.ctx.db('phones').update({ app_version: '1.0' });
  await ask(server, 'GET', '/api/health', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  await using smtp = await startSmtp({}, { password: 'another' });
  const { stripe, seatsio } = server.house.standins!;
  const env = {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'biglietti@teatro.it',
    STRIPE_URL: stripe!.url,
    STRIPE_SECRET_KEY: stripe!.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe!.webhookSecret!,
    SEATSIO_URL: seatsio!.url,
    SEATSIO_SECRET_KEY: 'no key of theirs',
    SEATSIO_WORKSPACE_KEY: seatsio!.workspaceKey,
  };
  const { code, body } = await askAdmin(server, ['doctor'], { env });
  const lines = body['lines'] as Told[];
  const about = (name: string) => lines.find((line) => line.about === name)!;
  expect(about('Indirizzo')).toMatchObject({ state: 'ok' });
  expect(about('Database').words).toMatch(/^(SQLite|PostgreSQL) \d/);
  expect(about('Cartella dei dati')).toMatchObject({
    state: 'warn',
    mend: expect.stringContaining('chmod 700'),
  });
  expect(about('Server di posta')).toMatchObject({
    state: 'bad',
    words: expect.stringContaining('rifiuta l’utente o la password'),
    mend: expect.stringContaining('SMTP_URL'),
  });
  expect(about('Stripe')).toMatchObject({ state: 'ok' });
  expect(about('Pianta dei posti')).toMatchObject({ state: 'bad', words: 'rifiuta la chiave' });
  expect(about('Indirizzi dei visitatori').words).toContain(
    '127.0.0.1, che TRUST_PROXY non nomina',
  );
  expect(about('Telefoni').words).toContain('abbinati: 1, ');
  expect(about('Backup').mend).toContain('backup');
  expect(lines.filter(({ state, mend }) => (state === 'ok') !== (mend === undefined))).toEqual([]);
  expect(code).toBe(1);
});

test('it looks also where no house is yet, and names every fault of the configuration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const settings = { DATA_DIR: folder, PORT: '9', PUBLIC_URL: 'http://localhost:9' };
  try {
    const down = await runAdmin({ settings }, ['doctor']);
    expect(down.code).toBe(1);
    expect(down.out).toContain('http://localhost:9 non risponde');
    expect(down.out).toMatch(/guasto +Database: non si apre/);
    const wrong = await runAdmin({ settings: { ...settings, PORT: 'x', LOG_LEVEL: 'loud' } }, [
      'doctor',
    ]);
    expect(wrong.out.match(/guasto/g)).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a clock that differs from the providers’ is amber after half a minute and red after four', async () => {
  let behindMs = 0;
  const vendor = createServer((_, res) => {
    res.setHeader('Date', new Date(Date.now() - behindMs).toUTCString()).end();
  }).listen(0, '127.0.0.1');
  await once(vendor, 'listening');
  const timeSources = [
    { name: 'Stripe', url: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` },
  ];
  const look = () => clockSkew({ memory: {}, now: Date.now, settings: { timeSources } });
  try {
    expect(await look()).toBeNull();
    behindMs = 60_000;
    expect(await look()).toMatchObject({
      state: 'amber',
      sentence: expect.stringContaining('avanti'),
    });
    behindMs = -3_600_000;
    expect(await look()).toMatchObject({
      state: 'red',
      sentence: expect.stringContaining('indietro di 60 minuti'),
    });
    expect(
      await clockSkew({
        memory: {},
        now: Date.now,
        settings: { timeSources: [{ name: 'x', url: 'http://127.0.0.1:9' }] },
      }),
    ).toBeNull();
  } finally {
    vendor.close();
  }
});
