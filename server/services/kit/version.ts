/** The program's version and when it was released, from its package.json. */
import { readFileSync } from 'node:fs';

const { version, released } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Record<'version' | 'released', string>;

/** `released`: the day of the release, as in the change log. */
export const product = { version, released };
