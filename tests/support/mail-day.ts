/** A theatre and a mail server that receives its mails, on both databases. */
import { inject, test } from 'vitest';
import type { MailRow } from '#db/rows.ts';
import {
  databaseKinds,
  startServer,
  type DatabaseKind,
  type StartOptions,
  type TestServer,
} from './server.ts';
import { startSmtp, type Answers, type Smtp } from './smtp.ts';

export const sender = {
  MAIL_FROM: 'Teatro Goldoni <biglietti@teatro.it>',
  ORGANISER_NAME: 'Teatro Goldoni',
  SUPPORT_EMAIL: 'assistenza@teatro.it',
};

export function testWithSmtp(
  name: string,
  run: (server: TestServer, smtp: Smtp) => Promise<void>,
  {
    answers = {},
    env = {},
    databases = databaseKinds,
    ...options
  }: StartOptions & { answers?: Answers; databases?: readonly DatabaseKind[] } = {},
): void {
  for (const database of databases) {
    test(`${name} (${database})`, async () => {
      await using smtp = await startSmtp(answers);
      await using server = await startServer({
        database,
        postgresUrl: inject('postgresUrl'),
        env: { SMTP_URL: smtp.url, ...sender, ...env },
        ...options,
      });
      await run(server, smtp);
    });
  }
}

/** All mails about an order, the oldest first. */
export async function mailsOf(server: TestServer, order_id: string): Promise<MailRow[]> {
  return server.house.ctx.db<MailRow>('mails').where({ order_id }).orderBy(['created_at', 'id']);
}
