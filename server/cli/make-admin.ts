/** `make-admin`: makes a one-time link for a new administrator, even if none can log in. */
import { makeAdminLink } from '#server/services/user/invitations.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { cliActor, readWords, type Command } from './command.ts';

export const makeAdmin: Command = {
  name: 'make-admin',
  usage: ['make-admin'],
  help: 'Stampa un link, valido una volta sola, per un nuovo amministratore.',
  more: [
    '  Chi apre il link sceglie indirizzo e password. Gli account che ci sono restano come sono.',
  ],
  async run(words, io) {
    readWords(words, {});
    const { ctx } = await io.open();
    const { url, expires_at } = await makeAdminLink(ctx, cliActor);
    io.say(
      `Nuovo amministratore (il link vale una volta sola, fino a ${formatListDate(expires_at)}):`,
    );
    io.say(`  ${url}`);
    io.report({ ok: true, url, expires_at: new Date(expires_at).toISOString() });
    return 0;
  },
};
