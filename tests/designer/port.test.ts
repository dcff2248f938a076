/** Drawings come in and go out by hand: a stranger's picture, tables, other houses' files, a photo to trace, a sheet of paper. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { testWorkshop as test } from './studio.ts';

const charts = path.join(import.meta.dirname, '../../server/standins/seatsio/charts');
const readHall = (name: string) => readFileSync(path.join(charts, name), 'utf8');

interface TextFile {
  name: string;
  text: string | Buffer;
}

async function openDialog(page: Page, line: string): Promise<void> {
  await page.getByRole('button', { name: 'Pianta', exact: true }).click();
  await page.getByRole('menuitem', { name: line }).click();
  await page.getByRole('dialog').waitFor();
}

async function choose(page: Page, { name, text }: TextFile): Promise<void> {
  await page.getByLabel('Scegli un file o trascinalo qui').setInputFiles({
    name,
    mimeType: 'text/plain',
    buffer: typeof text === 'string' ? Buffer.from(text) : text,
  });
}

async function exported(page: Page, button: string): Promise<string> {
  await openDialog(page, 'Esporta');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  await page.getByRole('button', { name: 'Chiudi', exact: true }).click();
  return readFileSync(await download.path(), 'utf8');
}

/** Lines of the table but for the ids, sorted. */
const linesOf = (csv: string) =>
  csv
    .split('\r\n')
    .map((line) => line.replace(/;[^;]*$/, ''))
    .toSorted();

/** Two rows of six with an aisle, numbers in them, names beside; and everything that a stranger could try. */
function hostileSvg(foreign: string): string {
  const seats = ['A', 'B'].flatMap((row, line) => [
    `<text x="20" y="${105 + line * 40}" font-size="14">${row}</text>`,
    ...[0, 1, 2, 4, 5, 6].map((place, index) => {
      const [x, y] = [60 + place * 30, 100 + line * 40];
      return `<g onclick="hacked=1" transform="translate(${x} ${y})"><circle class="s" r="11" onmouseover="hacked=1"/><text font-size="9" text-anchor="middle" dominant-baseline="central">${index + 1}</text></g>`;
    }),
  ]);
  return `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 400 300" onload="hacked=1">
<script>hacked=1</script><script href="${foreign}/script.js"/>
<style>@import url(${foreign}/style.css); .s{fill:#a8527f} *{background:url(${foreign}/style.png)} body{display:none}</style>
<image href="${foreign}/image.png" width="10" height="10"/>
<foreignObject width="90" height="90"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${foreign}/frame"/><img xmlns="http://www.w3.org/1999/xhtml" src="${foreign}/x.png" onerror="hacked=1"/></foreignObject>
<use href="${foreign}/symbols.svg#a"/><use xlink:href="javascript:hacked=1"/>
<a href="javascript:hacked=1"><rect x="100" y="20" width="140" height="30" fill="url(${foreign}/paint.svg#p)" style="fill:url(${foreign}/paint.svg#q);filter:url(${foreign}/f.svg#f)"/></a>
<rect x="0" y="0" width="5" height="5"><animate attributeName="x" onbegin="hacked=1" dur="1s"/><set attributeName="href" to="javascript:hacked=1"/></rect>
<g id="loop"><use href="#loop"/></g><use href="#loop"/>
${seats.join('\n')}
</svg>`;
}

/** A row each of turned squares, of a used symbol, of drawn paths and of discs with a ring; colours by class, by style, inherited. */
function mixedSvg(): string {
  const places = [0, 1, 2, 3, 4];
  const at = (place: number, line: number) => `${50 + place * 25} ${60 + line * 35}`;
  const row = (line: number, draw: (place: number) => string) =>
    places
      .map((place) => `<g transform="translate(${at(place, line)})">${draw(place)}</g>`)
      .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 250 250">
<style>.cls-1,.cls-2{stroke:#000} .cls-1{fill:#3f8fc4;}</style>
<defs><symbol id="chair" viewBox="0 0 20 20"><circle cx="10" cy="10" r="10"/><rect x="4" y="1" width="12" height="5" fill="#fff"/></symbol>
<g id="disc"><circle r="9" style="fill:rgb(168, 82, 127)"/><circle r="7" fill="none"/></g></defs>
<g id="Platea" transform="rotate(10 125 125)">
${row(0, () => '<rect class="cls-1" x="-9" y="-9" width="18" height="18" transform="rotate(45) scale(0.9)"/>')}
<g fill="#3f8fc4">${row(1, () => '<use href="#chair" x="-10" y="-10" width="20" height="20"/>')}</g>
${row(2, () => '<path class="cls-1" d="M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0z"/>')}
${row(3, () => '<use href="#disc"/>')}
</g><g display="none"><circle cx="9" cy="9" r="9"/></g></svg>`;
}

/** As Adobe Illustrator saves it: namespaces as entities, in UTF-16, and compressed. */
function compressedSvg(): Buffer {
  const svg = mixedSvg().replace('"http://www.w3.org/2000/svg"', '"&ns_svg;" xmlns:i="&ns_ai;"');
  const entities =
    '<!ENTITY ns_svg "http://www.w3.org/2000/svg"><!ENTITY ns_ai "http://ns.adobe.com/AI/10.0/">';
  const text = `<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE svg [${entities}]>${svg}`;
  return gzipSync(Buffer.from(`\uFEFF${text}`, 'utf16le'));
}

test('a stranger’s picture does nothing in the page; its rows are seen, mended and made; squares, symbols, paths and rings are seats wherever they are turned, and what is no picture is refused', async (workshop) => {
  const { page, ask, open } = await workshop.enter();
  expect(await open()).toBe('rendered');
  await openDialog(page, 'Importa');
  const svg = (inside: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`;
  const doubled = Array.from(
    { length: 20 },
    (_, at) => `<g id="g${at + 1}"><use href="#g${at}"/><use href="#g${at}"/></g>`,
  ).join('');
  const cases: [string | Buffer, string][] = [
    [svg('<circle r="1">'), 'Il disegno non si legge.'],
    [svg('<text>&b;</text>'), 'Il disegno non si legge.'],
    // Nor is an entity that the file itself declares.
    [
      `<!DOCTYPE svg [<!ENTITY b "x">]>${svg('<circle r="1"/><text>&b;</text>')}`,
      'Il disegno non si legge.',
    ],
    ['<html><body>x</body></html>', 'Il disegno non si legge.'],
    [svg('<image href="x.png"/>'), 'Nel disegno non c’è nessuna forma.'],
    [svg('<g>'.repeat(200) + '<circle r="1"/>' + '</g>'.repeat(200)), 'troppi gruppi'],
    [
      svg(`<circle id="g0" r="1"/><defs>${doubled}</defs><use href="#g20"/>`),
      'Il disegno è troppo grande',
    ],
    ['{"zones": 3}', 'Non riconosco il formato.'],
    ['{"zones": [', 'Il file non è JSON'],
    ['nome;cognome\nA;B', 'Non riconosco il formato.'],
    ['fila;posto\n;', 'Nel file non c’è nessun posto.'],
    ['fila;posto\nA;1\n"A;2\nA;3', 'Riga 3: una virgoletta'],
    ['PK\u0003\u0004', 'È un file di Excel'],
    // A compressed file that is larger than any picture.
    [gzipSync(Buffer.alloc(41_000_000, 32)), 'Il file è troppo grande'],
  ];
  for (const [text, said] of cases) {
    await choose(page, { name: 'file', text });
    await page.getByRole('alert').filter({ hasText: said }).waitFor();
  }

  await choose(page, { name: 'sala.svgz', text: compressedSvg() });
  await page.getByText('20 posti in 4 file.').waitFor();
  await page.getByLabel('Categoria del colore 1').fill('Primi');
  await page.getByLabel('Categoria del colore 1').press('Enter');
  await page.getByLabel('Fila B: correggi insieme ad altre').check();
  await page.getByRole('button', { name: /^Fila D / }).click();
  await page.getByRole('button', { name: 'Scegli fino a quella aperta' }).click();
  await page.getByLabel('Settore delle file scelte').fill('Galleria');
  await page.getByLabel('Settore delle file scelte').press('Enter');
  await page.getByRole('button', { name: 'Crea 4 file' }).click();
  const rows = (await exported(page, 'Scarica come tabella (CSV)')).split('\r\n').slice(1, -1);
  expect(rows.map((line) => line.split(';').slice(1, 8).join())).toEqual(
    ['A', 'B', 'C', 'D'].flatMap((row) =>
      [1, 2, 3, 4, 5].map(
        (seat) =>
          `${row === 'A' ? '' : 'Galleria'},fila,${row},${seat},,,${row === 'D' ? 'Categoria 2' : 'Primi'}`,
      ),
    ),
  );
  await page.getByRole('button', { name: 'Annulla: Pianta sostituita: 20 posti' }).click();

  await openDialog(page, 'Importa');
  const zones = [0, 1, 2].map((at) => `<rect x="${at * 90}" y="60" width="80" height="70"/>`);
  const plan = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 280 150">${zones.join('')}</svg>`;
  await choose(page, { name: 'zone.svg', text: plan });
  await page.getByText('Nessun posto trovato').waitFor();
  await page.getByLabel('3 forme da').check();
  await page.getByText('3 posti in 1 fila.').waitFor();
  await page.getByRole('button', { name: 'Chiudi', exact: true }).click();

  const foreign = 'http://stranger.test';
  const asked: string[] = [];
  await page.context().route(`${foreign}/**`, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await openDialog(page, 'Importa');
  await choose(page, { name: 'sala.svg', text: hostileSvg(foreign) });
  await page.getByRole('heading', { name: 'File trovate nel disegno' }).waitFor();
  await page.getByText('12 posti in 2 file.').waitFor();
  await page.getByRole('button', { name: /^Fila A 6 posti, da 1 a 6, 1 corridoio/ }).click();
  await page.getByLabel('Posto a cui dividere').selectOption({ label: 'Posto 3' });
  await page.getByRole('button', { name: 'Dividi dopo il posto 3' }).click();
  await page.getByText('2 file hanno un nome ripetuto.').waitFor();
  await page.getByRole('button', { name: 'Annulla la correzione' }).click();
  await page.getByLabel('Nome della fila').fill('Prima');
  await page.getByLabel('Nome della fila').press('Enter');
  await page.getByRole('button', { name: 'Crea 2 file' }).click();
  await page.getByText('Importati 12 posti.').waitFor();
  const lines = (await exported(page, 'Scarica come tabella (CSV)')).split('\r\n');
  expect(lines).toHaveLength(14);
  expect(lines[3]).toMatch(/^;;fila;Prima;3;;;Posto unico;.*;sì;;/);
  // What was left of the file lies nowhere in the page, and none of it was asked for or run.
  expect(asked).toEqual([]);
  expect(await ask('typeof hacked')).toBe('undefined');
  await page.getByRole('button', { name: 'Annulla: Pianta sostituita: 12 posti' }).click();
  expect((await exported(page, 'Scarica come tabella (CSV)')).split('\r\n')).toHaveLength(2);
  // Nor is a picture that a drawing names at a stranger's address.
  const drawing = JSON.parse(readHall('sala-nera.json'));
  drawing.subChart.backgroundImage = { href: `${foreign}/back.png`, width: 900, height: 700 };
  drawing.subChart.imageObjects = [
    { center: { x: 300, y: 300 }, width: 90, height: 90, href: `${foreign}/image.png` },
  ];
  await openDialog(page, 'Importa');
  await choose(page, { name: 'sala.json', text: JSON.stringify(drawing) });
  await page.getByRole('button', { name: 'Importa', exact: true }).click();
  await page.getByText('Importati 120 posti.').waitFor();
  await ask('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(asked).toEqual([]);
});

test('tables, plans of pretix and drawings come in and go out; a picture that went out comes in again place by place', async (workshop) => {
  const { page, open } = await workshop.enter();
  expect(await open()).toBe('rendered');
  const bring = async (file: TextFile, told: string) => {
    await openDialog(page, 'Importa');
    await choose(page, file);
    await page.getByText(told).waitFor();
    await page.getByLabel('Al posto della pianta').check();
    await page.getByRole('button', { name: 'Importa', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await bring(
    { name: 'sala.json', text: readHall('sala-delle-feste.json') },
    'Disegno di seats.io',
  );
  const csv = await exported(page, 'Scarica come tabella (CSV)');
  expect(csv.split('\r\n').length).toBeGreaterThan(100);
  expect(JSON.parse(await exported(page, 'Scarica il disegno completo'))).toMatchObject({
    subChart: JSON.parse(readHall('sala-delle-feste.json')).subChart,
  });
  expect(await exported(page, 'Scarica il disegno (seats.io)')).not.toContain('"x_');
  const plan = await exported(page, 'Scarica per pretix');
  const svg = await exported(page, 'Scarica come immagine (SVG)');
  await bring({ name: 'sala.csv', text: csv }, 'Tabella CSV');
  expect(linesOf(await exported(page, 'Scarica come tabella (CSV)'))).toEqual(linesOf(csv));
  await bring({ name: 'pianta.json', text: plan }, 'Pianta di pretix');
  expect(JSON.parse(await exported(page, 'Scarica per pretix'))).toEqual(JSON.parse(plan));
  await openDialog(page, 'Importa');
  await choose(page, { name: 'sala.svg', text: svg });
  await page.getByLabel('Al posto della pianta').check();
  await page.getByRole('button', { name: /^Crea \d+ file$/ }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(linesOf(await exported(page, 'Scarica come tabella (CSV)'))).toEqual(linesOf(csv));
  await openDialog(page, 'Parti da un modello');
  await page.getByRole('button', { name: 'Cinema' }).click();
  await page.getByLabel('Al posto della pianta').check();
  await page.getByRole('button', { name: 'Usa il modello' }).click();
  await page.getByText('Importati 220 posti.').waitFor();
});

test('a photo or a page of a PDF lies under the drawing, and a sheet that is printed is one sheet', async (workshop) => {
  const { page, ask, open } = await workshop.enter();
  expect(await open({ chartKey: 'teatro-goldoni' })).toBe('rendered');
  const photo = await page.screenshot();
  const other = await page.context().newPage();
  await other.setContent('<h1>Pianta</h1><p style="break-before:page">Galleria</p>');
  const pdf = await other.pdf({ format: 'A4' });
  await other.close();
  await openDialog(page, 'Sfondo da ricalcare');
  const give = (name: string, buffer: Buffer) =>
    page
      .getByLabel('Foto, scansione o PDF della sala')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await give(
    'pianta.png',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="hacked=1"/>'),
  );
  await page.getByRole('alert').filter({ hasText: 'Il file non si legge' }).waitFor();
  await give('pianta.png', photo);
  await page.getByText('Sfondo caricato.').waitFor();
  await page.getByLabel('Larghezza').fill('800');
  await page.getByLabel('Larghezza').press('Enter');
  await give('pianta.pdf', pdf);
  await page.getByLabel('Pagina (di 2)').fill('2');
  await page.getByLabel('Pagina (di 2)').press('Enter');
  await page.getByText('Leggo il file…').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Fatto' }).click();
  const drawing = JSON.parse(await exported(page, 'Scarica il disegno completo'));
  const { href, width, height } = drawing.subChart.backgroundImage;
  expect(href).toMatch(/^data:image\/jpeg;base64,/);
  expect([width, height]).toEqual([800, 1131]);
  await openDialog(page, 'Stampa');
  await ask('window.print = () => { globalThis.printed = true; }');
  await page.getByRole('button', { name: 'Stampa (PDF)', exact: true }).click();
  await page.waitForFunction('globalThis.printed');
  const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(printed.match(/\/Type \/Page\b/g)).toHaveLength(1);
  expect(/\/MediaBox \[0 0 (\d+)[\d.]* (\d+)/.exec(printed)?.slice(1)).toEqual(['594', '841']);
  await ask('dispatchEvent(new Event("afterprint"))');
  expect(await ask('document.querySelectorAll(".bsd-print").length')).toBe(0);
});
