/** Whatever stops a start, no secret of the settings is printed; and a fault that only a person can mend has an exit code of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, inject, onTestFinished, test } from 'vitest';
import { settings } from '#server/settings.ts';

const root = join(import.meta.dirname, '../../..');
const canary = (name: string) => `Canarino-${name}`;

/** A value that this setting accepts and that has the canary in it. */
const right: Record<string, string> = {
  DATABASE_URL: `postgres://u:${canary('DATABASE_URL')}@127.0.0.1:1/x`,
  SECRETS_KEY: Buffer.from(canary('SECRETS_KEY').padEnd(32)).toString('base64'),
  STRIPE_SECRET_KEY: `sk_test_${canary('STRIPE_SECRET_KEY')}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${canary('STRIPE_WEBHOOK_SECRET')}`,
  SMTP_URL: `smtp://u:${canary('SMTP_URL')}@127.0.0.1:1`,
  HEARTBEAT_URL: `https://127.0.0.1:1/${canary('HEARTBEAT_URL')}`,
};
/** The values of all secrets; the last four characters of a key may be seen. */
const secrets = Object.fromEntries(
  settings.flatMap(({ name, secret }) =>
    secret ? [[name, right[name] ?? canary(name)] as const] : [],
  ),
);

async function endOf(program: readonly string[], env: Record<string, string>) {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'botteghino-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
  const child = spawn(process.execPath, [...program], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: '',
      DATA_DIR,
      MAIL_FROM: 'a@b.it',
      LOG_LEVEL: 'debug',
      ...env,
    },
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { said: out + err, code: child.exitCode };
}

const unencoded = `postgres://u:12/${canary('DATABASE_URL')}@127.0.0.1:1/x`;
const server = ['server/main.ts'];
const admin = ['server/cli/main.ts'];
const wrongLogin = () => {
  const address = new URL(inject('postgresUrl'));
  address.username = 'nessuno';
  address.password = canary('DATABASE_URL');
  return address.href;
};
const cases: [string, readonly string[], () => Record<string, string>, number][] = [
  ['every value is wrong', server, () => ({ ...wrong(), PORT: 'x' }), 78],
  ['the password is not encoded', server, () => ({ DATABASE_URL: unencoded }), 78],
  ['the database is away', server, () => ({}), 1],
  ['the database refuses the login', server, () => ({ DATABASE_URL: wrongLogin() }), 1],
  ['doctor', [...admin, 'doctor'], () => ({}), 1],
  ['config', [...admin, 'config'], () => ({ DATABASE_URL: unencoded }), 1],
  ['a moved house', [...admin, 'move-to', unencoded], () => ({ DATABASE_URL: '' }), 2],
  ['one word too many', [...admin, 'find', 'a', right['DATABASE_URL']!], () => ({}), 2],
];

/** Each is refused: a beginning or an end that the setting does not allow. */
function wrong(): Record<string, string> {
  return Object.fromEntries(Object.keys(secrets).map((name) => [name, ` ${canary(name)} `]));
}

test.each(cases)('no secret is printed: %s', async (_, program, env, code) => {
  const ended = await endOf(program, { ...secrets, ...env() });
  expect(ended.said).not.toMatch(/Canarino/i);
  expect(ended.code).toBe(code);
  expect(ended.said.length).toBeGreaterThan(20);
});

test('a data folder that is a file is no fault of the settings: the service tries again', async () => {
  const file = join(tmpdir(), `botteghino-${process.pid}`);
  await writeFile(file, '');
  onTestFinished(() => rm(file));
  expect((await endOf(server, { DATA_DIR: file })).code).toBe(1);
});
