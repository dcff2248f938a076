/**
 * Part of the booking bench: the process dies during a sale again and again, and no confirmed
 * booking is lost.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { perSection, wideSale } from './booking-hall.ts';
import { startBenchServer, startLoad } from './booking-run.ts';

export async function killRounds(folder: string, rounds: number): Promise<void> {
  let [acknowledged, lost, doubled, broken] = [0, 0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startBenchServer(folder, 'sqlite', '', 50 * perSection);
    // The process dies at no particular step, because other clients are at all steps.
    let died: Promise<void> | undefined;
    const { kept } = await startLoad(
      {
        port: server.port,
        clients: 64,
        requests: wideSale(round % 10, 110, 1_500),
        // A part of the hall has two hundred and twenty-six blocks.
        keep: 1 + Math.floor(Math.random() * 200),
      },
      () => {
        died = server.stop('SIGKILL');
      },
    );
    // The dead process keeps its locks until it is gone.
    await died;
    const db = new Database(join(folder, 'botteghino.sqlite'));
    const state = db.prepare<[string], { state: string; lines: number }>(
      'SELECT state, (SELECT count(*) FROM order_lines WHERE order_id = orders.id AND released_at IS NULL) AS lines FROM orders WHERE id = ?',
    );
    for (const { order_id } of kept) {
      const order = state.get(order_id);
      if (order?.state !== 'awaiting_payment' || order.lines !== 4) lost += 1;
    }
    acknowledged += kept.length;
    doubled += db
      .prepare<[], { n: number }>(
        'SELECT count(*) - count(DISTINCT place) AS n FROM order_lines WHERE released_at IS NULL',
      )
      .get()!.n;
    if (db.pragma('integrity_check', { simple: true }) !== 'ok') broken += 1;
    if (round % 10 === 9)
      db.exec(
        'DELETE FROM checkout_sessions; DELETE FROM order_lines; DELETE FROM outbox; DELETE FROM audit; DELETE FROM orders',
      );
    db.close();
  }
  console.log(
    `kill -9: ${rounds} rounds in the middle of a sale, ${acknowledged} bookings acknowledged: ${lost} lost, ${doubled} seats sold twice, ${broken} files damaged`,
  );
}
