/** The configuration: defaults, and all faults at once in words. */
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, []);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

test('with nothing set both stand-ins serve and everything is on port 3000', () => {
  expect(readConfig({}, [])).toMatchObject({ port: 3000, publicUrl: 'http://localhost:3000', seatsio: null, stripe: null, dev: false });
  expect(readConfig({ PORT: '8080', PUBLIC_URL: 'https://biglietti.example/' }, ['--dev'])).toMatchObject({ port: 8080, publicUrl: 'https://biglietti.example', dev: true });
});

test('every fault is named at once', () => {
  expect(faultsOf({ PORT: 'x', PUBLIC_URL: 'ftp://a', DATABASE_URL: 'mysql://a', SEATSIO_SECRET_KEY: 'a', STRIPE_SECRET_KEY: 'pk_x' })).toHaveLength(6);
});

test('production does not start on pretended payments, and real keys not beside a stand-in or on plain http', () => {
  expect(faultsOf({ NODE_ENV: 'production' })).toHaveLength(1);
  expect(faultsOf({ NODE_ENV: 'production', BOTTEGHINO_DEMO: '1' })).toEqual([]);
  expect(faultsOf({ STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x', STRIPE_URL: 'http://127.0.0.1:1' })).toHaveLength(2);
  expect(faultsOf({ STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x', PUBLIC_URL: 'https://a.example' })).toEqual([]);
});
