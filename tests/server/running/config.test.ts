/** The configuration: defaults, and all faults at once in words. */
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { maskSecret, withoutSecrets } from '#server/settings.ts';
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

test('an address whose password is not encoded is told in one sentence that does not repeat it', () => {
  const fault = (name: string) => [expect.stringMatching(`^${name}.*%2F`)];
  for (const sign of ['/', '#', '?', '/1@x', '%ff'])
    for (const digits of ['', '12']) {
      const password = `${digits}${sign}canarino`;
      const found = faultsOf({ DATABASE_URL: `postgres://u:${password}@h.example/db` });
      expect([password, found]).toEqual([password, fault('DATABASE_URL')]);
      expect(found.join()).not.toContain('canarino');
    }
  expect(faultsOf({ DATABASE_URL: 'postgres:///u:p@h/db' })).toEqual(fault('DATABASE_URL'));
  expect(faultsOf({ SMTP_URL: 'smtp://u:12/can@h', MAIL_FROM: 'a@b.it' })).toEqual(
    fault('SMTP_URL'),
  );
  for (const password of ['p%2F%23%3F%25%40', 'p@ss', 'p:ss', "p!$&'()*+,;=-._~", 'p%'])
    expect([password, faultsOf({ DATABASE_URL: `postgres://u:${password}@h/db` })]).toEqual([
      password,
      [],
    ]);
  expect(faultsOf({ DATABASE_URL: 'postgres:///db?host=/var/run/postgresql' })).toEqual([]);
});

test('what stands beside the right key on a page of Stripe is called by its name', () => {
  const right = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
  expect(faultsOf(right)).toEqual([]);
  expect(faultsOf({ ...right, STRIPE_SECRET_KEY: 'rk_test_x' })).toEqual([]);
  for (const [name, value, told] of [
    ['STRIPE_WEBHOOK_SECRET', 'we_1Canarino', 'whsec_: we_… è il nome del webhook'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_new, we_1Canarino', 'whsec_: we_… è il nome'],
    ['STRIPE_WEBHOOK_SECRET', 'sk_test_Canarino', 'whsec_: sk_… è la chiave segreta'],
    ['STRIPE_SECRET_KEY', 'pk_test_Canarino', 'sk_live_: pk_… è la chiave pubblicabile'],
    ['STRIPE_SECRET_KEY', 'whsec_Canarino', 'sk_live_: whsec_… è il segreto del webhook'],
    ['STRIPE_SECRET_KEY', 'sk_Canarino', 'STRIPE_SECRET_KEY deve cominciare'],
  ] as const) {
    const found = faultsOf({ ...right, [name]: value });
    expect(found).toEqual([expect.stringContaining(told)]);
    expect(found.join()).not.toContain('Canarino');
  }
});

test('a secret is shown by its end, an address by its host', () => {
  for (const [value, shown] of [
    ['sk_test_0123456789', '…6789'],
    ['corta', '…'],
    ['postgres://u:segreta@h:5/db?x=1', 'postgres://…@h:5/db'],
    ['postgres://u:12/segreta@h/db', '…'],
    ['postgres://u:p#segreta@h/db', '…'],
    ['smtp://u:segreta@h:587', 'smtp://…@h:587'],
    ['https://hc-ping.com/segreta', 'https://hc-ping.com/…'],
  ])
    expect([value, maskSecret(value!)]).toEqual([value, shown]);
  const env = {
    DATABASE_URL: 'postgres://u:pa%2Fss@h/db',
    STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b',
  };
  expect(withoutSecrets('pa/ss, pa%2Fss, whsec_b, postgres://u:pa%2Fss@h/db.', env)).toBe(
    '…, …, …, ….',
  );
  expect(faultsOf({ HEARTBEAT_URL: 'hc-ping.com/x' })).toHaveLength(1);
  expect(faultsOf({ HEARTBEAT_URL: 'http://hc-ping.com/x' })).toHaveLength(1);
  expect(faultsOf({ HEARTBEAT_URL: 'https://hc-ping.com/x' })).toEqual([]);
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
