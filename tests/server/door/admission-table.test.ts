/** The door’s table at the desk, a third of it; all of it on PostgreSQL in admission-table.proof.ts. */
import { testDeskOn } from './desk-table.ts';

testDeskOn('sqlite', 3);
