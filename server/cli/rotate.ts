/** `rotate sessions`: everybody is asked for their password again: whatever token was stolen opens nothing any more. */
import { endEverySession } from '#server/services/user/sessions.ts';
import { cliActor, Misused, readWords, type Command } from './command.ts';

export const rotate: Command = {
  name: 'rotate',
  usage: ['rotate sessions'],
  help: 'Chiude le sessioni di tutti: chi lavora qui entra di nuovo con la password.',
  more: ['  Finiscono anche i browser conosciuti e i link per una nuova password.'],
  async run(words, io) {
    const { positionals } = readWords(words, { least: 1 });
    if (positionals[0] !== 'sessions') throw new Misused(`Non so cambiare «${positionals[0]}».`);
    const { ctx } = await io.open();
    const ended = await endEverySession(ctx, cliActor);
    io.say(`Sessioni chiuse: ${ended}.`);
    io.report({ ok: true, ended });
    return 0;
  },
};
