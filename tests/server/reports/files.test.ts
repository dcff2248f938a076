/** Reports as files: workbooks read by somebody else's code, CSV in both spellings, and long lists that are sent while they are read. */
import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import { parse } from 'csv-parse/sync';
import { exportAdmissions } from '#server/contract/door/admissions.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { exportOrders } from '#server/contract/order/orders.ts';
import { readReport, readReportFile } from '#server/contract/reports.ts';
import { testOnBoth as it, testOnce as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';
import { makeSeason } from '#tests/support/random-season.ts';

type Value = string | number | null;

/** Sheets by name, rows of values; a number that its style shows as a date becomes its day. */
function readWorkbook(bytes: Uint8Array): Map<string, Value[][]> {
  const files = unzipSync(bytes);
  const textOf = (path: string) => (files[path] === undefined ? '' : strFromU8(files[path]));
  const plain = (xml: string) =>
    xml
      .replace(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
  const strings = [...textOf('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, si]) =>
    plain(si!),
  );
  const styles = textOf('xl/styles.xml');
  const dateFormats = new Set(
    [...styles.matchAll(/<numFmt [^>]*>/g)]
      .filter(([tag]) => tag.includes('yyyy'))
      .map(([tag]) => /numFmtId="(\d+)"/.exec(tag)![1]),
  );
  const cellStyles = [
    ...(/<cellXfs.*?<\/cellXfs>/s.exec(styles)?.[0] ?? '').matchAll(/<xf [^>]*>/g),
  ].map(([tag]) => dateFormats.has(/numFmtId="(\d+)"/.exec(tag)?.[1]));
  const cellOf = (tag: string, inner: string): Value => {
    const value = /<v>(.*?)<\/v>/s.exec(inner)?.[1];
    if (/ t="s"/.test(tag)) return strings[Number(value)]!;
    if (/ t="(?:inlineStr|str)"/.test(tag)) return plain(inner);
    if (value === undefined) return null;
    const isDate = cellStyles[Number(/ s="(\d+)"/.exec(tag)?.[1] ?? 0)];
    const day = Date.UTC(1899, 11, 30) + Number(value) * 86_400_000;
    return isDate ? new Date(day).toISOString().slice(0, 10) : Number(value);
  };
  const names = [...textOf('xl/workbook.xml').matchAll(/<sheet [^>]*name="([^"]*)"/g)];
  return new Map(
    names.map(([, name], nth) => {
      const sheet = textOf(`xl/worksheets/sheet${nth + 1}.xml`);
      const rows = [...sheet.matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row]) =>
        [...row!.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(([, tag, inner = '']) =>
          cellOf(` ${tag}`, inner),
        ),
      );
      return [plain(name!), rows];
    }),
  );
}

it('a workbook has a sheet for each figure, with numbers and dates that are numbers and dates; a CSV has one table', async (server, admin) => {
  await makePaidOrder(server);
  const query = { event_id: demoEvent };
  const params = { report: 'sales' };
  const { figures } = await callOk(server, readReport, { params, query }, admin);
  const file = (more: object) =>
    fetch(server.url + addressOf(readReportFile, params, { ...query, ...more }), {
      headers: admin,
    });
  const answer = await file({});
  expect(answer.headers.get('content-type')).toContain('spreadsheetml');
  expect(answer.headers.get('content-disposition')).toMatch(/vendite-\d{4}-\d\d-\d\d\.xlsx/);
  const book = readWorkbook(new Uint8Array(await answer.arrayBuffer()));
  expect([...book.keys()]).toEqual(figures.map(({ title }) => title.slice(0, 31).trim()));
  const days = figures.find(({ id }) => id === 'by_day')!;
  const [day, paid, orders, places] = days.rows[0]!;
  expect(book.get(days.title)).toEqual([
    ['Giorno', 'Incassato', 'Ordini', 'Biglietti'],
    [day, Number(paid) / 100, orders, places],
  ]);

  const italian = Buffer.from(
    await (await file({ figure: 'by_day', format: 'excel' })).arrayBuffer(),
  ).toString();
  const [year, month, date] = String(day).split('-');
  expect(italian).toBe(
    `\uFEFFGiorno;Incassato;Ordini;Biglietti\r\n${date}/${month}/${year};64,00;1;2\r\n`,
  );
  const plain = await (await file({ figure: 'by_day', format: 'plain' })).text();
  expect(plain).toBe(`Giorno,Incassato,Ordini,Biglietti\r\n${day},64.00,1,2\r\n`);

  const several = await ask(server, 'GET', addressOf(readReportFile, params, { format: 'plain' }), {
    headers: admin,
  });
  expect(several).toMatchObject({ status: 400, body: { detail: { fields: ['figure'] } } });
  expect((await file({ figure: 'nothing' })).status).toBe(404);
  for (const report of ['hall', 'door']) {
    const whole = await fetch(`${server.url}/api/admin/reports/${report}/file`, {
      headers: admin,
    });
    expect([report, whole.status]).toEqual([report, 200]);
  }
});

test('a text that is too long for a cell is cut, and says so', async (server, admin) => {
  await makePaidOrder(server);
  const title = `${'🎭'.repeat(20_000)}_x0041_`;
  await server.house.ctx.db('events').where({ id: demoEvent }).update({ title });
  const file = await fetch(`${server.url}/api/admin/reports/sales/file`, { headers: admin });
  const cells = [...readWorkbook(new Uint8Array(await file.arrayBuffer())).values()].flat(2);
  const long = cells.filter((cell) => String(cell).includes('🎭'));
  expect(long.length).toBeGreaterThan(0);
  for (const cell of long) expect(cell).toBe(`${'🎭'.repeat(16_383)}…`);
});

it('orders and scans are sent page by page, each row once', async (server, admin) => {
  const { order_id } = await makePaidOrder(server);
  const { db } = server.house.ctx;
  for (const seed of [3, 4, 5]) await makeSeason(db, { seed, order_id, now: server.clock.now() });
  const scans = await db('admissions').select();
  // More than a page of each.
  for (let copy = 0; copy < 30; copy += 1)
    for (let from = 0; from < scans.length; from += 50)
      await db('admissions').insert(
        scans.slice(from, from + 50).map((scan) => ({ ...scan, id: `${scan.id}+${copy}` })),
      );
  const { n } = (await db('admissions').count({ n: '*' }).first())!;
  expect(Number(n)).toBeGreaterThan(2_000);
  const read = async (address: string) => {
    const answer = await fetch(server.url + address, { headers: admin });
    expect(answer.headers.get('content-length')).toBeNull();
    return parse(await answer.text(), { columns: true }) as Record<string, string>[];
  };
  const rows = await read(addressOf(exportAdmissions, {}, { format: 'plain' }));
  expect(rows.length).toBe(Number(n));
  expect(rows.filter((row) => row['Vale'] === 'sì').length).toBe(
    (await db('admissions').where({ counts: 1 }).whereNull('annulled_by')).length,
  );
  const orders = await read(addressOf(exportOrders, {}, { format: 'plain' }));
  expect(new Set(orders.map((row) => row['Numero'])).size).toBe(orders.length);
  expect(orders.length).toBe((await db('orders')).length);
});
