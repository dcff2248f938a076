/** The same on the other database. */
import { testOnPostgres as it } from '#tests/support/both.ts';
import { expectUnbroken } from './unknown-words.ts';

it('a new word in each column of words breaks no list, page, file or work', expectUnbroken);
