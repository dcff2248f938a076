/** On PostgreSQL what rehousing-in-the-way.test.ts proves on SQLite. */

import { testOnPostgres as test } from '#tests/support/both.ts';
import { ended } from './rehousing-ended.ts';
import { others } from './rehousing-others.ts';
import { races } from './rehousing-races.ts';

for (const [name, run] of Object.entries({ ...ended, ...others, ...races })) test(name, run);
