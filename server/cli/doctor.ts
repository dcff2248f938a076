/**
 * `doctor`: finds what can be wrong with an installation and names each remedy, also while the
 * server is down.
 */
import { styleText } from 'node:util';
import { diagnose } from './diagnosis.ts';
import type { Diagnosis } from './found.ts';
import { readWords, type Command } from './command.ts';

const names = { ok: 'ok', warn: 'attenzione', bad: 'guasto' } as const;
const colours = { ok: 'green', warn: 'yellow', bad: 'red' } as const;

export const doctor: Command = {
  name: 'doctor',
  usage: ['doctor'],
  help: 'Controlla tutto quello che può non andare, e dice come si rimedia.',
  async run(words, io) {
    readWords(words, {});
    const lines = await diagnose(io);
    for (const { state, about, words: found, mend } of lines) {
      const word = names[state].padEnd(10);
      io.say(`${io.colour ? styleText(colours[state], word) : word}  ${about}: ${found}`);
      if (mend !== undefined) io.say(`            → ${mend}`);
    }
    const bad = lines.filter(({ state }) => state === 'bad').length;
    const warn = lines.filter(({ state }) => state === 'warn').length;
    io.say(bad + warn === 0 ? 'Tutto a posto.' : `Guasti: ${bad}, attenzioni: ${warn}.`);
    io.report({ ok: bad === 0, lines: lines satisfies readonly Diagnosis[] });
    return bad === 0 ? 0 : 1;
  },
};
