/** `invariants`: checks all invariants of the database now and lists the violations. */
import { checkInvariants, invariantReport } from '#server/services/reconcile/invariants.ts';
import { readWords, type Command } from './command.ts';

export const invariantsCommand: Command = {
  name: 'invariants',
  usage: ['invariants'],
  help: 'Controlla adesso che i conti del database tornino.',
  async run(words, io) {
    readWords(words, {});
    const { ctx } = await io.open();
    await checkInvariants(ctx);
    const { items, broken } = await invariantReport(ctx);
    for (const { words: sentence, violations, sample } of items) {
      const about = violations === 0 ? '' : `: ${violations} (${sample.slice(0, 5).join(', ')})`;
      io.say(`${violations === 0 ? 'ok     ' : 'guasto '} ${sentence}${about}`);
    }
    io.say(broken === 0 ? 'Tutto torna.' : `Controlli che non tornano: ${broken}.`);
    io.report({ ok: broken === 0, broken, items });
    return broken === 0 ? 0 : 1;
  },
};
