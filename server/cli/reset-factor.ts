/** `reset-factor`: a user who has lost the phone with the codes logs in by password alone. */
import { findUserByEmail } from '#db/user/users.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { resetFactors } from '#server/services/user/people.ts';
import { cliActor, readWords, Refused, type Command } from './command.ts';

export const resetFactor: Command = {
  name: 'reset-factor',
  usage: ['reset-factor E-MAIL'],
  help: 'Toglie il secondo fattore a una persona che ha perso il telefono, e chiude le sue sessioni.',
  async run(words, io) {
    const [name = ''] = readWords(words, { least: 1 }).positionals;
    const email = addressKey(name);
    const { ctx } = await io.open();
    const user = await findUserByEmail(ctx.db, email);
    if (!user) throw new Refused(`Nessuno qui ha l’indirizzo «${email}».`);
    await resetFactors(ctx, { id: user.id, actor: cliActor });
    io.say(
      `Fatto: ${user.name} entra di nuovo con la sola password, e le sue sessioni sono chiuse.`,
    );
    io.report({ ok: true, user_id: user.id });
    return 0;
  },
};
