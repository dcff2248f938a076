/** The door's table at the desk; on PostgreSQL in admission-table.proof.ts. */
import { testDeskOn } from './desk-table.ts';

testDeskOn('sqlite');
