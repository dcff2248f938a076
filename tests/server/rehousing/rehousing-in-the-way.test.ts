/** Cambio di sala where others are in the way: those whose tickets end meanwhile, who is no ordinary buyer, who comes at the same moment. On PostgreSQL: rehousing-in-the-way.proof.ts. */
import { testOnSqlite as test } from '#tests/support/both.ts';
import { ended } from './rehousing-ended.ts';
import { others } from './rehousing-others.ts';
import { races } from './rehousing-races.ts';

for (const [name, run] of Object.entries({ ...ended, ...others, ...races })) test(name, run);
