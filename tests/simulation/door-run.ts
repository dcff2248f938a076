/**
 * Random evenings with faults at every step against the phones' core and the real server, until
 * one breaks a rule; then prints the shortest such evening in words.
 */
import type { Evening } from './door-history.ts';
import { doorMutants } from './door-mutants.ts';
import { steerChance } from './door-chance.ts';
import { steerTime } from './door-time.ts';
import { hunt, read } from './hunt.ts';
import { applyMutant } from './mutants.ts';
import regressions from './door-regressions.json' with { type: 'json' };

const values = read({
  evenings: { type: 'string', default: '500' },
  /** Prints every evening, not only a broken one. */
  story: { type: 'boolean', default: false },
  // The hall has tables that are sold whole.
  tables: { type: 'boolean', default: false },
  // Plays only the evenings that once broke a rule.
  regressions: { type: 'boolean', default: false },
});
// This must run before any module of the product is loaded.
applyMutant(values.mutant ?? null, doorMutants);
steerChance();
steerTime();
const { evenings, inWords } = await import('./door-history.ts');
const { playBrowser } = await import('./door-world.ts');
const { play } = await import('./door-play.ts');

/** An app that dies during an action leaves its promise behind. */
process.on('unhandledRejection', (error) => {
  if (!(error instanceof Error) || !/dead|aborted|closed/i.test(error.message)) throw error;
});

playBrowser();

if (values.regressions) {
  let broken = 0;
  for (const { name, evening } of regressions as { name: string; evening: Evening }[]) {
    const { problems } = await play(evening);
    if (problems.length > 0) broken += 1;
    for (const problem of problems) console.log(`broken again: ${name}: ${problem}`);
  }
  process.exit(broken > 0 ? 1 : 0);
}

const found = await hunt({
  things: 'evenings',
  many: Number(values.evenings),
  asked: values,
  made: evenings({ tables: values.tables }),
  async play(evening: Evening, { tellsStory } = { tellsStory: values.story }) {
    const played = await play(evening, { tellsStory });
    if (values.story) console.log(played.story.join('\n'));
    return played;
  },
  inWords,
  tellEvery: 50,
});
process.exit(found === null ? 0 : 1);
