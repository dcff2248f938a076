/** Whom we call shows a certificate that we trust, or hears nothing; a signed text counts as it was signed, and nowhere else. */
import { createServer } from 'node:https';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { ensureCertificate } from '#server/adapters/local-certificate.ts';
import { connectMail } from '#server/adapters/mail.ts';
import { connectPrograms } from '#server/adapters/program-line.ts';
import { startStandins } from '#server/standins/start.ts';
import { placeIn, signPlace, hashOfPlace } from '#server/services/queue/token.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { demoEvent } from '#tests/support/make.ts';
import { listen } from '#tests/support/port.ts';
import { startServer } from '#tests/support/server.ts';

/** For localhost, by an authority that this computer does not know. */
async function strangeCertificate() {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-strange-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const names = { hosts: ['localhost'], addresses: ['127.0.0.1'] };
  return ensureCertificate({ folder, names, now: Date.now() });
}

test('a program whose certificate nobody vouches for hears nothing', async () => {
  const { key, cert } = await strangeCertificate();
  let heard = 0;
  const server = createServer({ key, cert }, (_, response) => {
    heard += 1;
    response.end();
  });
  onTestFinished(() => void server.close());
  const url = `https://localhost:${await listen(server)}/`;
  const line = connectPrograms({ allowed: ['127.0.0.1/32', '::1/128'] });
  const letter = { url, headers: {}, body: '{}' };
  expect(await line.send(letter)).toEqual({ status: null, answer: null, fault: 'certificate' });
  expect(heard).toBe(0);
});

test('a mail server whose certificate nobody vouches for gets no mail and no password', async () => {
  const { key, cert } = await strangeCertificate();
  const heard: string[] = [];
  const server = new SMTPServer({
    secure: true,
    key,
    cert,
    authOptional: true,
    logger: false,
    onAuth: (_, __, callback) => {
      heard.push('password');
      callback(null, { user: 'u' });
    },
    onMailFrom: (_, __, callback) => {
      heard.push('mail');
      callback();
    },
  });
  server.on('error', () => {});
  onTestFinished(() => void server.close());
  const url = `smtps://u:segreta@localhost:${await listen(server.server)}`;
  const from = { name: 'Teatro', address: 'biglietti@teatro.it' };
  const mail = { to: 'eva@example.it', subject: 'Prova', text: 'x', html: '<p>x</p>' };
  const rest = { message_id: '<1@teatro.it>', reply_to: null, attachments: [] };
  const sent = connectMail({ now: Date.now, url, from }).send({ ...mail, ...rest });
  await expect(sent).rejects.toThrow(/certificate|self.signed/i);
  expect(heard).toEqual([]);
});

it('a place in the queue counts as it was signed: not with another id, signature, key or event', async (server) => {
  await using other = await startServer();
  const { ctx } = server.house;
  const id = 'AAAAAAAAAAAAAAAAAAAAAA';
  const cookie = await signPlace(ctx, demoEvent, id);
  expect(await placeIn(ctx, demoEvent, cookie)).toBe(hashOfPlace(id));
  const [, signature = ''] = cookie.split('.');
  const turned = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  for (const forged of [`BAAAAAAAAAAAAAAAAAAAAA.${signature}`, `${id}.${turned}`, id, `${id}.`])
    expect([forged, await placeIn(ctx, demoEvent, forged)]).toEqual([forged, null]);
  expect(await placeIn(ctx, 'concerto-di-natale', cookie)).toBeNull();
  const strange = await signPlace(other.house.ctx, demoEvent, id);
  expect(await placeIn(ctx, demoEvent, strange)).toBeNull();
});

test('the stand-ins’ keys are made for each house, and speak on this machine alone', async () => {
  const options = { file: ':memory:', stripePublicUrl: '', chartFolder: '', now: Date.now };
  const both = [
    await startStandins({ ...options, seatsioPort: 0, stripePort: 0 }),
    await startStandins({ ...options, seatsioPort: 0, stripePort: 0 }),
  ];
  onTestFinished(async () => {
    for (const one of both) await one.close();
  });
  const keys = both.flatMap(({ stripe, seatsio }) => [stripe!.secretKey, seatsio!.secretKey]);
  expect(new Set(keys).size).toBe(4);
  for (const key of keys) expect(key.length).toBeGreaterThanOrEqual(32);
});
