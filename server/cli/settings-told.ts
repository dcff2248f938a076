/** `config`: shows every setting, the source of its value, and all faults together. */
import { ConfigError, tellSettings } from '#server/config.ts';
import { readWords, type Command, type CommandIo } from './command.ts';

export const configCommand: Command = {
  name: 'config',
  usage: ['config'],
  help: 'Mostra tutte le impostazioni, da dove vengono, e tutti gli errori insieme.',
  async run(words, io) {
    readWords(words, {});
    const settings = tellSettings();
    for (const { name, value, usual } of settings)
      io.say(
        value === null
          ? `  ${name.padEnd(26)} (predefinito: ${usual})`
          : `  ${name.padEnd(26)} ${value}  (dall’ambiente)`,
      );
    const faults = faultsOf(io);
    for (const fault of faults) io.say(`guasto  ${fault}`);
    io.say(faults.length === 0 ? 'La configurazione va bene.' : `Errori: ${faults.length}.`);
    io.report({ ok: faults.length === 0, faults, settings });
    return faults.length === 0 ? 0 : 1;
  },
};

/** Empty if the configuration has no faults. */
export function faultsOf(io: CommandIo): readonly string[] {
  try {
    void io.config;
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
