/** `phone revoke`: a lost phone can admit nobody, and deletes its data at its next contact. */
import { revokePhone } from '#server/services/door/phones.ts';
import { cliActor, Misused, readWords, type Command } from './command.ts';
import { phoneNamed } from './find.ts';

export const phoneCommand: Command = {
  name: 'phone',
  usage: ['phone revoke NOME'],
  help: 'Revoca un telefono della porta.',
  async run(words, io) {
    const { positionals } = readWords(words, { least: 2 });
    const [act, name = ''] = positionals;
    if (act !== 'revoke') throw new Misused(`Un telefono non si può «${act}».`);
    const { ctx } = await io.open();
    const phone = await phoneNamed(ctx, name);
    await revokePhone(ctx, phone.id, cliActor);
    io.say(`«${phone.name}» è revocato: al prossimo contatto consegna le sue letture e si svuota.`);
    io.report({ ok: true, phone_id: phone.id, name: phone.name });
    return 0;
  },
};
