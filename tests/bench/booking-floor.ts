/** The floor of the booking bench: bare better-sqlite3 with the same rows in the same tables. */
import Database from 'better-sqlite3';
import { labelOf } from './booking-hall.ts';

type Row = Record<string, unknown>;

/**
 * The rows of one finished booking in the product's database, which the floor writes repeatedly.
 */
interface Sample {
  schema: string[];
  event: Row;
  places: Row[];
  order: Row;
  lines: Row[];
  session: Row;
}

export function takeSample(file: string): Sample {
  const db = new Database(file, { readonly: true });
  const all = (sql: string, ...values: unknown[]) => db.prepare<unknown[], Row>(sql).all(...values);
  const order = all("SELECT * FROM orders WHERE state = 'awaiting_payment' LIMIT 1")[0]!;
  const sample: Sample = {
    schema: all(
      // Tables come before their indexes and triggers; the tables inside a word index come with
      // it.
      "SELECT sql FROM sqlite_schema s JOIN pragma_table_list t ON t.name = s.tbl_name AND t.schema = 'main' WHERE sql IS NOT NULL AND s.name NOT LIKE 'sqlite%' AND t.type <> 'shadow' ORDER BY s.type = 'table' DESC",
    ).map((row) => String(row['sql'])),
    event: all('SELECT * FROM events WHERE id = ?', order['event_id'])[0]!,
    places: all('SELECT * FROM places'),
    order,
    lines: all('SELECT * FROM order_lines WHERE order_id = ?', order['id']),
    session: all('SELECT * FROM checkout_sessions WHERE order_id = ?', order['id'])[0]!,
  };
  db.close();
  return sample;
}

/**
 * Bookings per second of a loop that does nothing else: all writing statements of a booking in
 * one transaction and one commit each.
 */
export function openRawFloor(file: string, sample: Sample): (bookings: number) => number {
  const db = new Database(file);
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'])
    db.pragma(pragma);
  for (const sql of sample.schema) db.exec(sql);
  const inserter = (table: string, row: Row) => {
    const columns = Object.keys(row);
    const statement = db.prepare(
      `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join()}) VALUES (${columns.map(() => '?').join()})`,
    );
    return (values: Row) => {
      statement.run(columns.map((column) => values[column]));
    };
  };
  inserter('events', sample.event)(sample.event);
  const place = inserter('places', sample.places[0]!);
  db.transaction(() => {
    for (const row of sample.places) place(row);
  })();
  const [order, line, session] = (
    [
      ['orders', sample.order],
      ['order_lines', sample.lines[0]!],
      ['checkout_sessions', sample.session],
    ] as const
  ).map(([table, row]) => inserter(table, row)) as [Write, Write, Write];
  const move = db.prepare(
    "UPDATE orders SET state = 'awaiting_payment', session_id = ?, session_status = 'open', checkout_url = ?, lease = NULL, lease_until = NULL WHERE id = ? AND state = 'booking'",
  );
  let next = 0;
  const book = db.transaction(() => {
    const tag = next++;
    const id = `${Date.now().toString(36)}-${String(tag).padStart(18, '0')}`;
    order({
      ...sample.order,
      id,
      number: `N${tag}`,
      link_key: id.slice(-22),
      hold_token: `hold-${tag}`,
      state: 'booking',
      session_id: null,
      checkout_url: null,
    });
    for (const [at, row] of sample.lines.entries())
      line({ ...row, id: `${id}${at}`, order_id: id, ...seatOf(4 * tag + at) });
    move.run(`cs_${id}`, sample.order['checkout_url'], id);
    session({ ...sample.session, id: `cs_${id}`, order_id: id });
  });
  return (bookings) => {
    const began = performance.now();
    for (let round = 0; round < bookings; round += 1) book.immediate();
    return (bookings / (performance.now() - began)) * 1000;
  };
}

type Write = (row: Row) => void;

function seatOf(index: number): Row {
  return { place: labelOf(index), object_label: labelOf(index) };
}
