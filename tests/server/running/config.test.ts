/** The configuration: defaults, and all faults at once in words. */
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { faultsOf } from '#tests/support/config.ts';

test('with nothing set both stand-ins serve and everything is on port 3000', () => {
  expect(readConfig({}, [])).toMatchObject({
    port: 3000,
    publicUrl: 'http://localhost:3000',
    seatsio: null,
    stripe: null,
    dev: false,
  });
  expect(
    readConfig({ PORT: '8080', PUBLIC_URL: 'https://biglietti.example/', BOTTEGHINO_DEMO: '1' }, [
      '--dev',
    ]),
  ).toMatchObject({ port: 8080, publicUrl: 'https://biglietti.example', dev: true });
});

test('every fault is named at once', () => {
  expect(
    faultsOf({
      PORT: 'x',
      PUBLIC_URL: 'ftp://a',
      DATABASE_URL: 'mysql://a',
      DATABASE_STATEMENTS: 'on',
      SEATSIO_SECRET_KEY: 'a',
      STRIPE_SECRET_KEY: 'pk_x',
    }),
  ).toHaveLength(7);
});

test('production does not start on pretended payments, and real keys not beside a stand-in or on plain http', () => {
  expect(faultsOf({ NODE_ENV: 'production' })).toHaveLength(1);
  expect(faultsOf({ NODE_ENV: 'production', BOTTEGHINO_DEMO: '1' })).toEqual([]);
  expect(
    faultsOf({
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      STRIPE_URL: 'http://127.0.0.1:1',
    }),
  ).toHaveLength(2);
  expect(
    faultsOf({
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      PUBLIC_URL: 'https://a.example',
    }),
  ).toEqual([]);
});

test('where strangers come money is real, or somebody has asked for a demonstration', () => {
  const test_keys = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
  for (const PUBLIC_URL of [
    'https://biglietti.example',
    'https://203.0.113.5',
    'https://[2001:db8::1]',
  ])
    for (const keys of [{}, test_keys]) {
      expect(faultsOf({ PUBLIC_URL, ...keys })).toHaveLength(1);
      expect(faultsOf({ PUBLIC_URL, ...keys, BOTTEGHINO_DEMO: '1' })).toEqual([]);
    }
  for (const NODE_ENV of ['production', 'PRODUCTION', 'Production'])
    expect(faultsOf({ NODE_ENV, ...test_keys })).toHaveLength(1);
  for (const host of ['localhost:3000', '192.168.1.20', '[fd00::5]:3443', 'cassa', 'cassa.local'])
    expect(faultsOf({ PUBLIC_URL: `https://${host}` })).toEqual([]);
});

test('mail stays in the house until a server and a sender are named, and both are looked at', () => {
  expect(
    readConfig({ PUBLIC_URL: 'https://biglietti.example', BOTTEGHINO_DEMO: '1' }, []),
  ).toMatchObject({
    mail: { url: null, from: { name: 'Botteghino', address: 'botteghino@biglietti.example' } },
    organiser: { name: 'Botteghino', email: null, phone: null },
  });
  const url = 'smtp://utente:segreta@posta.example:587';
  expect(
    readConfig(
      {
        SMTP_URL: url,
        MAIL_FROM: '"Teatro Goldoni" <biglietti@teatro.it>',
        SUPPORT_EMAIL: 'aiuto@teatro.it',
        SUPPORT_PHONE: '+39 041 1',
        ORGANISER_NAME: 'Fondazione',
      },
      [],
    ),
  ).toMatchObject({
    mail: { url, from: { name: 'Teatro Goldoni', address: 'biglietti@teatro.it' } },
    organiser: { name: 'Fondazione', email: 'aiuto@teatro.it', phone: '+39 041 1' },
  });
  expect(
    readConfig(
      { SMTP_URL: url, MAIL_FROM: 'biglietti@teatro.it', ORGANISER_NAME: 'Fondazione' },
      [],
    ).mail.from,
  ).toEqual({ name: 'Fondazione', address: 'biglietti@teatro.it' });
  expect(faultsOf({ SMTP_URL: url })).toHaveLength(1);
  expect(
    faultsOf({ SMTP_URL: 'posta.example', MAIL_FROM: 'Teatro', SUPPORT_EMAIL: 'nessuno' }),
  ).toHaveLength(3);
  for (const MAIL_FROM of ['a@b.it\r\nBcc: c@d.it', 'Teatro <a@b.it>, <c@d.it>', '<>'])
    expect([MAIL_FROM, faultsOf({ SMTP_URL: url, MAIL_FROM })]).toEqual([
      MAIL_FROM,
      [expect.stringContaining('MAIL_FROM')],
    ]);
});
