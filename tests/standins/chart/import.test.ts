/** Bringing in drawings: by the stand-in's own call, and by the command on its file or from somebody's account. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFile } from '#tests/standins/new-file.ts';
import {
  basic,
  eventParams,
  smallDrawing,
  startStandin,
  type Standin,
} from '#tests/standins/seatsio/start.ts';
import { drawSalaNera } from '#server/standins/seatsio/draw/sala-nera.ts';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { printDense } from '#server/standins/seatsio/draw/print.ts';

const good = printDense(drawSalaNera());
const bad = good.replace('"label":"2"', '"label":"1"');

const send = ({ ask }: Standin, query: string, body: unknown, headers?: Record<string, string>) =>
  ask(`POST /charts/actions/import${query}`, body, headers);

test('a good drawing becomes a published chart under the key that was asked for, kept as it came', async () => {
  await using standin = await startStandin();
  const { events, charts } = standin.client;
  expect(await send(standin, '?key=ridotto', good)).toMatchObject({
    status: 200,
    body: { key: 'ridotto', findings: [] },
  });
  expect(await charts.retrievePublishedVersion('ridotto')).toEqual(JSON.parse(good));
  await events.create('ridotto', eventParams({ key: 'sera' }));
  await events.book('sera', ['Fronte-A-3']);
  const made = await send(standin, '', good);
  expect((await charts.retrieve(made.body['key'] as string)).name).toBe('Sala Nera');
});

test('a dry run only looks, and a drawing with errors is refused with all of them', async () => {
  await using standin = await startStandin();
  const findings = [
    { severity: 'error', where: 'Settore Fronte, fila A', message: 'due posti si chiamano «1»' },
  ];
  expect(await send(standin, '?key=ridotto&dry=true', bad)).toMatchObject({
    status: 200,
    body: { key: 'ridotto', findings },
  });
  const refused = await send(standin, '?key=ridotto', bad);
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'DRAWING_REFUSED', data: { findings } }] },
  });
  expect((await send(standin, '?key=ridotto&dry=true', good)).body['findings']).toEqual([]);
  await expect(standin.client.charts.retrieve('ridotto')).rejects.toMatchObject({ status: 404 });
});

test('a taken key, a strange key, no secret and too much of it are refused', async () => {
  await using standin = await startStandin();
  expect(await send(standin, '?key=small', good)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'CHART_KEY_ALREADY_EXISTS' }] },
  });
  expect(await send(standin, '?key=a%2Fb', good)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'GENERAL_ERROR' }] },
  });
  expect(await send(standin, '?key=x', good, { Authorization: basic('wrong') })).toMatchObject({
    status: 401,
    body: { errors: [{ code: expect.any(String) }] },
  });
  expect((await send(standin, '?key=x', 'x'.repeat(30 * 1024 * 1024 + 1))).status).toBe(413);
  const deep = await send(standin, '?key=x&dry=true', '{"a":['.repeat(100_000));
  expect(deep.body['findings']).toHaveLength(1);
});

test('a warning is told and stands in no way; a drawing of 50,000 seats fits', async () => {
  await using standin = await startStandin();
  const subChart = { ...smallDrawing.subChart, focalPoint: null };
  const { status, body } = await send(standin, '?key=y', { ...smallDrawing, subChart });
  expect(status).toBe(200);
  expect(body['findings']).toContainEqual({
    severity: 'warning',
    where: 'Pianta',
    message: 'manca il punto focale: non si possono proporre i posti migliori',
  });
  expect(
    await send(standin, '?key=stadio', printDense(drawStadium({ seats: 50_000, sections: 100 }))),
  ).toMatchObject({ status: 200, body: { findings: [] } });
});

test("a row is called what its drawing calls it, and the vendor's own word for a row is none; one whose name the drawing hides is told to the map as such, and no other", async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const drawing = drawSalaNera();
  const [first, second] = drawing.subChart.sections[0]!.subChart.rows;
  Object.assign(first!, { displayObjectType: 'row', rowLabelPosition: 'label-position-invisible' });
  Object.assign(second!, { displayObjectType: 'Panca', rowLabelPosition: 'label-position-left' });
  expect(await send(standin, '?key=muta', printDense(drawing))).toMatchObject({
    status: 200,
    body: { findings: [] },
  });
  await events.create('muta', eventParams({ key: 'sera' }));
  const labels = ['Fronte-A-1', 'Fronte-B-1'];
  const infos = await events.retrieveObjectInfos('sera', labels);
  const called = labels.map(
    (label) => (infos[label] as { parentDisplayedObjectType?: string }).parentDisplayedObjectType,
  );
  expect(called).toEqual([undefined, 'Panca']);
  const { rows } = (await standin.visit('GET', '/rendering-info?event_key=sera')).body.chart;
  const hidden = rows.filter(({ hidesLabel }: { hidesLabel?: true }) => hidesLabel);
  expect(hidden.map(({ label }: { label: string }) => label)).toEqual([first!.label]);
});

test('replacing publishes the new drawing at once, but takes no seat from under anybody', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  await send(standin, '?key=ridotto', good);
  await events.create('ridotto', eventParams({ key: 'sera' }));
  await events.book('sera', ['Fronte-F-12']);
  const drawing = drawSalaNera();
  drawing.subChart.sections[0]!.subChart.rows.at(-1)!.seats.pop();
  const shorter = printDense(drawing);
  expect(await send(standin, '?key=ridotto&replace=true', shorter)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'OBJECTS_NOT_FREE' }] },
  });
  const other = drawSalaNera();
  other.subChart.sections[0]!.subChart.rows[0]!.seats.pop();
  expect((await send(standin, '?key=ridotto&replace=true', printDense(other))).status).toBe(200);
  // The refused drawing left nothing behind: what counts is the one that came after it.
  await expect(events.book('sera', ['Fronte-A-12'])).rejects.toMatchObject({ status: 400 });
  await events.book('sera', ['Fronte-F-11']);
  await events.release('sera', ['Fronte-F-12']);
  expect((await send(standin, '?key=ridotto&replace=true', shorter)).status).toBe(200);
  await events.book('sera', ['Fronte-A-12']);
  expect(await send(standin, '?key=nessuna&replace=true', good)).toMatchObject({
    status: 404,
    body: { errors: [{ code: 'CHART_NOT_FOUND' }] },
  });
});

/** The command as a technician types it, with something on its input. */
function type(
  input: string,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, '../../../server/standins/chart.ts'), ...args],
      { maxBuffer: 32 * 1024 * 1024 },
      (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
      },
    );
    child.stdin!.end(input);
  });
}
const run = (...args: string[]) => type('', ...args);

const BROUGHT = 'La pianta è nel server con la chiave «ridotto». Nessun problema trovato.\n';

test('the command checks a file and generates a stadium that it finds good: its sentences, and an exit code for scripts', async () => {
  using place = newFile();
  const [broken, stadium, none] = ['cattiva', 'stadio', 'nessuna'].map((name) =>
    join(place.folder, `${name}.json`),
  ) as [string, string, string];
  writeFileSync(broken, bad);
  const size = ['--seats', '2000', '--sections', '16'];
  expect((await run('generate', ...size, '--to', stadium)).code).toBe(0);
  expect(await run('check', stadium)).toEqual({
    code: 0,
    out: 'Nessun problema trovato.\n',
    err: '',
  });
  expect(await run('generate', '--seats', '5', '--sections', '100')).toMatchObject({
    code: 2,
    out: '',
  });
  expect(await run('check', broken)).toEqual({
    code: 1,
    out: 'Errore — Settore Fronte, fila A: due posti si chiamano «1».\n1 errore, 0 avvisi.\n',
    err: '',
  });
  expect(await run('check', none)).toEqual({
    code: 1,
    out: '',
    err: `Il file ${none} non c’è.\n`,
  });
  expect(await run('verifica')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Comando sconosciuto: verifica\nUso: npm run chart -- COMANDO'),
  });
});

test('the command brings a drawing into the file of a stand-in that is running, lists it, and writes it out again', async () => {
  using place = newFile();
  const { file, folder } = place;
  const drawing = join(folder, 'ridotto.json');
  await using standin = await startStandin({ file });
  const { events } = standin.client;
  writeFileSync(drawing, good);
  const bring = () => run('import', drawing, '--key', 'ridotto', '--file', file);
  expect(await bring()).toMatchObject({ code: 0, out: BROUGHT });
  await events.create('ridotto', eventParams({ key: 'sera' }));
  await events.book('sera', ['Fronte-A-3']);
  expect((await run('list', '--file', file)).out).toMatch(/^ridotto +Sala Nera$/m);
  const written = join(folder, 'fuori.json');
  expect((await run('export', 'ridotto', '--file', file, '--to', written)).out).toBe('');
  expect(readFileSync(written, 'utf8')).toBe(`${good}\n`);
  expect(await bring()).toMatchObject({
    code: 1,
    err: expect.stringContaining('c’è già una pianta con questa chiave'),
  });
  expect(await run('export', 'mai', '--file', file)).toMatchObject({
    code: 1,
    err: 'Non c’è nessuna pianta con la chiave «mai».\n',
  });
});

test('the command fetches a drawing from an account by its secret key', async () => {
  using place = newFile();
  const { file } = place;
  await using account = await startStandin();
  await send(account, '?key=ridotto', good);
  const { url, secretKey } = account;
  const ask = (chart: string, secret: string, input = '') =>
    type(input, 'import', '--chart', chart, '--secret-key', secret, '--url', url, '--file', file);
  // The key on the input does not stand in the list of processes.
  expect(await ask('ridotto', '-', `${secretKey}\n`)).toMatchObject({ code: 0, out: BROUGHT });
  expect((await run('export', 'ridotto', '--file', file)).out).toBe(`${good}\n`);
  expect(await ask('altra', secretKey)).toMatchObject({
    code: 1,
    err: 'Nel conto non c’è nessuna pianta con la chiave «altra».\n',
  });
  expect(await ask('ridotto', 'sbagliata')).toMatchObject({
    code: 1,
    err: 'La chiave segreta non è accettata: controlla anche la regione.\n',
  });
});
