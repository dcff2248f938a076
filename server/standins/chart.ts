/**
 * `npm run chart -- check FILE`, draw, generate, import, list, export: commands on charts. They
 * print Italian for the person who draws; the exit code is 1 if a drawing has errors.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkText } from '#server/drawing/check/check.ts';
import { openDefaultWorkspace } from './seatsio/company/companies.ts';
import { drawingText, findChart } from './seatsio/catalog/catalog.ts';
import { drawSalaDelleFeste } from './seatsio/draw/sala-delle-feste.ts';
import { drawSalaNera } from './seatsio/draw/sala-nera.ts';
import { drawStadium } from './seatsio/draw/stadium.ts';
import { drawTeatroDellOpera } from './seatsio/draw/teatro-dell-opera.ts';
import { drawTeatroGoldoni } from './seatsio/draw/teatro-goldoni.ts';
import { printDense, printDrawing } from './seatsio/draw/print.ts';
import { ApiError } from './seatsio/errors.ts';
import { isUsable, printFinding } from '#server/drawing/check/findings.ts';
import { importDrawing } from './seatsio/chart/import.ts';
import { change } from './seatsio/context.ts';
import { openSeatsioStore, openSharedSeatsioStore } from './seatsio/open.ts';
import { chartsOf } from './seatsio/statements/charts.ts';
import type { Writing } from './seatsio/context.ts';
import type { Workspace } from './seatsio/statements/workspaces.ts';
import type { Finding } from '#server/drawing/check/findings.ts';
import type { Store } from './kit/store.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OWN = {
  'sala-nera': drawSalaNera,
  'teatro-goldoni': drawTeatroGoldoni,
  'teatro-dell-opera': drawTeatroDellOpera,
  'sala-delle-feste': drawSalaDelleFeste,
};
const USAGE = `Uso: npm run chart -- COMANDO
  check FILE                     dice che cosa non va in una pianta
  import FILE [--key K]          la porta nel server delle piante, anche mentre è acceso; --replace sostituisce quella con la stessa chiave
  import --chart K --secret-key S [--region eu]
                                 la prende da un conto seats.io (eu, na, sa, oc) e la porta dentro; con «-» la chiave si legge dall’ingresso
  list                           le piante che ci sono
  export K                       scrive il disegno di una pianta
  generate --seats N --sections M
                                 scrive uno stadio di prova, per esempio --seats 50000 --sections 100
  draw                           riscrive i file delle piante di casa
Opzioni
  --file F                       import, list, export: file SQLite del server (data/standins.sqlite)
  --database U                   import, list, export: il database del server, se è PostgreSQL (postgres://…)
  --to F                         export, generate: scrive in questo file e non sullo schermo
  --url U                        import --chart: un’API a un altro indirizzo`;

/** Ends with the usage and exit code 2 after invalid arguments. */
function misuse(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(2);
}

/** Ends with exit code 1 if the command cannot be carried out. */
function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function readOptions() {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        file: text,
        database: text,
        key: text,
        chart: text,
        'secret-key': text,
        region: text,
        url: text,
        to: text,
        seats: text,
        sections: text,
        replace: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return misuse(optionFault(error as Error & { code?: string }));
  }
}

/** Node's message is English, so only the option that it quotes is used. */
function optionFault({ code, message }: { code?: string; message: string }): string {
  const option = /'[^']*?(--?[\w-]+)/.exec(message)?.[1] ?? '';
  return code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
    ? `Opzione sconosciuta: ${option}`
    : `Opzione ${option}: ${option === '--replace' ? 'non vuole' : 'manca'} un valore`;
}

const {
  values,
  positionals: [verb, subject, ...rest],
} = readOptions();

function readDrawingFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') return fail(`${path} è una cartella: serve il file di una pianta.`);
    return fail(
      code === 'ENOENT'
        ? `Il file ${path} non c’è.`
        : `Il file ${path} non si può leggere: ${message}`,
    );
  }
}

function tell(findings: Finding[]): void {
  for (const finding of findings) console.log(printFinding(finding));
}

function sum(findings: Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  if (findings.length === 0) return 'Nessun problema trovato.';
  return `${errors === 1 ? '1 errore' : `${errors} errori`}, ${warnings === 1 ? '1 avviso' : `${warnings} avvisi`}.`;
}

function check(path: string): void {
  const { findings } = checkText(readDrawingFile(path));
  tell(findings);
  console.log(sum(findings));
  if (!isUsable(findings)) process.exitCode = 1;
}

async function openState(file: string, mayMake: boolean): Promise<Store> {
  const { database } = values;
  if (database !== undefined)
    return openSharedSeatsioStore(database).catch((error: Error) =>
      fail(`Il database non si può aprire: ${error.message}`),
    );
  if (!mayMake && !existsSync(file))
    fail(`Il file ${file} non c’è: avvia prima il server, o indica il suo file con --file`);
  try {
    mkdirSync(dirname(file), { recursive: true });
    return openSeatsioStore(file);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return fail(
      code === 'SQLITE_NOTADB'
        ? `Il file ${file} non è un file del server delle piante.`
        : `Il file ${file} non si può aprire: ${message}`,
    );
  }
}

/** Another process may have the file open; its next call finds the chart. */
async function withState<T>(
  mayMake: boolean,
  work: (ctx: Writing, workspace: Workspace) => Promise<T>,
): Promise<T> {
  const file = resolve(values.file ?? join(ROOT, 'data', 'standins.sqlite'));
  const store = await openState(file, mayMake);
  try {
    const state = { store, now: Date.now, chartFolder: '', onChange: () => undefined };
    const { workspace } = await change(state, openDefaultWorkspace);
    return await change(state, (ctx) => work(ctx, workspace));
  } finally {
    await store.close();
  }
}

function baseOf(): string {
  if (values.url !== undefined) return values.url.replace(/\/+$/, '');
  const region = values.region ?? 'eu';
  return ['eu', 'na', 'sa', 'oc'].includes(region)
    ? `https://api-${region}.seatsio.net`
    : misuse(`--region: eu, na, sa o oc, non «${region}»`);
}

/** `fetch failed` says nothing; the reason is in the error's cause. */
function reasonOf({ name, cause }: Error): string {
  if (name === 'TimeoutError') return ' entro 30 secondi';
  const code = (cause as { code?: string } | undefined)?.code;
  return code ? ` (${code})` : '';
}

/** The published drawing, exactly as it is stored. */
async function fetchDrawing(chart: string, secret: string): Promise<string> {
  const address = `${baseOf()}/charts/${encodeURIComponent(chart)}/version/published`;
  const headers = { Authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}` };
  const answer = await fetch(address, { headers, signal: AbortSignal.timeout(30_000) }).catch(
    (error: Error) => fail(`${address} non risponde${reasonOf(error)}.`),
  );
  if (answer.status === 401 || answer.status === 403)
    fail('La chiave segreta non è accettata: controlla anche la regione.');
  if (answer.status === 404) fail(`Nel conto non c’è nessuna pianta con la chiave «${chart}».`);
  if (!answer.ok) fail(`${address} ha risposto ${answer.status}.`);
  return answer.text();
}

/** `-` reads it from stdin, because every user of the machine can see command lines. */
function secretKey(): string {
  const value = values['secret-key'] ?? misuse('import --chart: serve --secret-key');
  return value === '-' ? readFileSync(process.stdin.fd, 'utf8').trim() : value;
}

async function bringIn(): Promise<void> {
  const { chart } = values;
  const usage = 'import: un file, oppure --chart e --secret-key';
  if (chart !== undefined && subject !== undefined) misuse(usage);
  const text =
    chart === undefined
      ? readDrawingFile(subject ?? misuse(usage))
      : await fetchDrawing(chart, secretKey());
  try {
    const { key, findings } = await withState(true, (ctx, workspace) =>
      importDrawing(ctx, workspace, {
        text,
        key: values.key ?? values.chart,
        replace: values.replace,
      }),
    );
    tell(findings);
    console.log(`La pianta è nel server con la chiave «${key}». ${sum(findings)}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const findings = (error.data?.findings ?? []) as Finding[];
    tell(findings);
    fail(
      findings.length > 0
        ? `La pianta non è stata importata: ${sum(findings)}`
        : `La pianta non è stata importata: ${inWords(error)}`,
    );
  }
}

function inWords({ code, message }: ApiError): string {
  if (code === 'CHART_KEY_ALREADY_EXISTS')
    return 'c’è già una pianta con questa chiave; --replace la sostituisce.';
  if (code === 'CHART_NOT_FOUND') return 'non c’è nessuna pianta con questa chiave da sostituire.';
  if (code === 'OBJECTS_NOT_FREE')
    return `ci sono posti già presi che la nuova pianta non ha (${message}).`;
  if (message.startsWith('#/key'))
    return 'la chiave può avere fino a 100 lettere, cifre, punti, trattini e trattini bassi.';
  return message;
}

async function list(): Promise<void> {
  const charts = await withState(false, (ctx, workspace) => chartsOf(ctx.sql, workspace.id));
  for (const { key, name, archived } of charts)
    console.log(`${key.padEnd(36)}  ${name}${archived === 1 ? '  (in archivio)' : ''}`);
}

/** `--to` writes only the text, while on the output `npm run` adds a line of its own. */
function write(text: string): void {
  if (values.to === undefined) return void process.stdout.write(`${text.trimEnd()}\n`);
  try {
    writeFileSync(values.to, `${text.trimEnd()}\n`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    fail(
      `Non riesco a scrivere ${values.to}: ${code === 'ENOENT' ? 'la cartella non c’è' : message}.`,
    );
  }
}

async function exportDrawing(key: string): Promise<void> {
  const text = await withState(false, async (ctx, workspace) => {
    try {
      const chart = await findChart(ctx, workspace, key);
      return await drawingText(ctx, chart.id, chart.published_version);
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  });
  if (text === null) fail(`Non c’è nessuna pianta con la chiave «${key}».`);
  write(text);
}

function generate(): void {
  const number = (name: 'seats' | 'sections') =>
    /^\d{1,6}$/.test(values[name] ?? '')
      ? Number(values[name])
      : misuse(`generate: --${name} N, un numero intero`);
  try {
    write(printDense(drawStadium({ seats: number('seats'), sections: number('sections') })));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    misuse('generate: servono almeno 8 settori, e almeno un posto per settore');
  }
}

function draw(): void {
  for (const [key, drawing] of Object.entries(OWN)) {
    writeFileSync(new URL(`seatsio/charts/${key}.json`, import.meta.url), printDrawing(drawing()));
    console.log(`server/standins/seatsio/charts/${key}.json`);
  }
}

function need(what: string): string {
  return subject ?? misuse(`${verb}: manca ${what}`);
}

if (values.help || verb === 'help') console.log(USAGE);
else if (rest.length > 0) misuse(`Di troppo: ${rest.join(' ')}`);
else if (verb === 'check') check(need('il file'));
else if (verb === 'import') await bringIn();
else if (verb === 'list') await list();
else if (verb === 'export') await exportDrawing(need('la chiave della pianta'));
else if (verb === 'generate') generate();
else if (verb === 'draw') draw();
else misuse(verb === undefined ? 'Manca il comando' : `Comando sconosciuto: ${verb}`);
