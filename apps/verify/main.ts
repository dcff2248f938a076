/** The page that checks a book: reads a file, checks it, and shows the findings. */
import type { FactOf } from '#server/domain/book/rows.ts';
import { judgeBook, type Verdict } from '#server/domain/book/verdict.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { make } from './dom.ts';
import { personForm } from './person.ts';
import { checkSignature } from './signature.ts';
import { tablesOf } from './tables.ts';
import { readFile } from './unpack.ts';
import { faultWords, headWords, keyWords, proves, provesNot, signatureWords } from './words.ts';

const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const file = find<HTMLInputElement>('file');
const fingerprint = find<HTMLInputElement>('fingerprint');
const heads = find<HTMLTextAreaElement>('heads');
const drop = find('drop');
const answer = find('answer');

fingerprint.value = document.querySelector<HTMLMetaElement>('meta[name="impronta"]')?.content ?? '';

let chosen: File | null = null;
/** The number of the latest check; results of earlier ones are not shown. */
let latest = 0;

async function check(): Promise<void> {
  if (chosen === null) return;
  const mine = (latest += 1);
  answer.replaceChildren(make('p', {}, `Controllo ${chosen.name}…`));
  const content = await judge(chosen);
  if (mine === latest) answer.replaceChildren(...content);
}

async function judge(book: File): Promise<HTMLElement[]> {
  const bytes = await readFile(book).catch(() => null);
  if (bytes === null)
    return [banner(false, 'Il file non si apre', 'È rovinato, o il suo imballo è stato cambiato.')];
  const trust = { fingerprint: fingerprint.value, heads: heads.value };
  return draw(await judgeBook(bytes, trust, checkSignature));
}

function draw(verdict: Verdict): HTMLElement[] {
  const { rows, faults, known, totals } = verdict;
  if (rows.length === 0) return [noBook];
  const event = rows.findLast((row) => row.kind === 'event') as FactOf<'event'> | undefined;
  const title = event && `${event.title}, ${event.venue}, ${formatListDate(event.starts_at)}`;
  return [
    headline(verdict),
    ...(faults.length === 0 ? [] : [make('h2', {}, 'Che cosa non torna'), faultList(verdict)]),
    make('h2', {}, 'Il libro'),
    make('p', {}, title ?? 'Serata sconosciuta'),
    make('p', {}, `Righe: ${rows.length}, dalla prima a quella del ${lastDay(verdict)}.`),
    make('p', {}, signatureWords(verdict)),
    make('p', {}, keyWords(verdict)),
    make('p', { class: 'code' }, verdict.fingerprint ?? ''),
    ...known.map((head) => make('p', {}, headWords(head))),
    ...tablesOf(rows, totals),
    make('h2', {}, 'Persone'),
    personForm(rows),
    make('h2', {}, 'Che cosa prova'),
    list(proves),
    make('h2', {}, 'Che cosa non prova'),
    list(provesNot),
  ];
}

function headline(verdict: Verdict): HTMLElement {
  const { whole, key, signature, faults } = verdict;
  if (whole)
    return banner(
      true,
      'Il libro è integro',
      key === 'trusted'
        ? 'Nessuna riga è stata cambiata, tolta, aggiunta o spostata da quando l’organizzatore lo ha firmato.'
        : 'Nessuna riga è stata toccata da quando è stato firmato; resta da sapere di chi è la chiave.',
    );
  if (faults.length === 0 && signature === 'unchecked')
    return banner(false, 'Firma non controllata', signatureWords(verdict));
  return banner(
    false,
    'Il libro non è quello scritto dall’organizzatore',
    'Non fidarti dei suoi numeri.',
  );
}

function banner(good: boolean, title: string, text: string): HTMLElement {
  return make(
    'div',
    { class: `verdict ${good ? 'good' : 'bad'}`, role: 'status' },
    make('h2', {}, title),
    make('p', {}, text),
  );
}

/** Usually the wrong file was chosen. */
const noBook = banner(
  false,
  'Questo file non è un libro',
  'Scegli il libro che hai ricevuto: come si chiama il suo file sta scritto sopra. Se è proprio questo, non è più quello scritto dall’organizzatore.',
);

const mostFaults = 100;

function faultList({ faults }: Verdict): HTMLElement {
  const shown = faults.slice(0, mostFaults).map(faultWords);
  const left = faults.length - shown.length;
  return list(left === 0 ? shown : [...shown, `E altre ${left}.`]);
}

function list(texts: readonly string[]): HTMLElement {
  return make('ul', {}, ...texts.map((text) => make('li', {}, text)));
}

function lastDay({ rows }: Verdict): string {
  const last = rows.at(-1);
  return last === undefined ? '' : formatListDate(last.at);
}

function take(file: File | undefined): void {
  if (file === undefined) return;
  chosen = file;
  void check();
}

file.addEventListener('change', () => take(file.files?.[0]));
for (const field of [fingerprint, heads]) field.addEventListener('change', () => void check());
find('ask').addEventListener('submit', (event) => event.preventDefault());
for (const name of ['dragover', 'dragleave', 'drop'] as const)
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragover');
    if (name === 'drop') take(event.dataTransfer?.files[0]);
  });
