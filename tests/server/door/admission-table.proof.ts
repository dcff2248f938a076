/** The door's table at the desk, on the second database. */
import { testDeskOn } from './desk-table.ts';

testDeskOn('postgres');
