/** A word that only a newer version knows breaks no list, page, file or work of this one. */
import { testOnSqlite as it } from '#tests/support/both.ts';
import { expectUnbroken } from './unknown-words.ts';

it('a new word in each column of words breaks no list, page, file or work', expectUnbroken);
