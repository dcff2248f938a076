/** The worker thread that counts a large event, with its own database connection. */
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from '#db/engine/connect.ts';
import { countEvent } from '#db/report/kept.ts';
import type { CountAsk } from './count-aside.ts';

const { place, event } = workerData as CountAsk;
const db = connect(place.database, { namedStatements: place.namedStatements });
const count = await countEvent(db, event);
await db.destroy();
parentPort?.postMessage(count);
