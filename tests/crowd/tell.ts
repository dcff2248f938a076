/** Prints a crowd as figures. */
import { processCount, type Crowd } from './crowd.ts';

export function tell({ people, counts, problems, options, worst, sights }: Crowd): string {
  const robots = people.filter(({ isBot }) => isBot).length;
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;
  const ended = (end: string) => people.filter((person) => person.end === end).length;
  return [
    `${options.people} people at ${options.per_minute} a minute, seed ${options.seed}; ${processCount} processes, ${counts.deaths} deaths, ${sights.length} looks at the counter`,
    `${people.length} places, ${counts.admitted} let in, ${ended('booked')} booked, ${ended('expired')} too slow, ${ended('stayed away')} stayed away, ${counts.members} members`,
    `rate: off by ${(100 * worst).toFixed(2)} % at most in a minute or longer`,
    `robots: ${counts.robotTries} tries, ${robots} places (${share(robots, people.length)}), ${share(counts.admittedBots, counts.admitted)} of admissions`,
    ...problems.map((problem) => `wrong: ${problem}`),
    problems.length === 0 ? 'Nothing is wrong.' : `${problems.length} things are wrong.`,
  ].join('\n');
}
