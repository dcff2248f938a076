/**
 * Attempts of a script, many per person, from five thousand addresses of one /64 and from one
 * /24: the number of places that it gets.
 */
import type { Crowd } from './crowd.ts';
import { enter } from './people.ts';

const addressesOf64 = 5_000;
/** A network that had its share is asked again now and then; the tries between are counted and not played: its count only grows by them. */
const askedAgain = 50;

export async function besiege(crowd: Crowd, tries: number): Promise<void> {
  const { shut } = crowd;
  for (let n = 0; n < tries; n += 1) {
    crowd.counts.robotTries += 1;
    const of64 = n % 2 === 0;
    const address = of64
      ? `2001:db8:1:2::${crowd.chance(addressesOf64).toString(16)}`
      : `198.51.100.${crowd.chance(256)}`;
    const network = of64 ? '/64' : address;
    if (shut.has(network) && crowd.chance(askedAgain) > 0) continue;
    const robot = await enter(crowd, { kind: 'plain', isBot: true, address });
    if (robot === null) shut.add(network);
    else shut.delete(network);
  }
}

/**
 * The limits allow one /64 and one /24 two hundred places in ten minutes and two thousand in an
 * hour.
 */
export function mostOfRobots(seconds: number): number {
  return 200 * (1 + Math.floor(seconds / 600)) + 2_000 * (1 + Math.floor(seconds / 3_600));
}
