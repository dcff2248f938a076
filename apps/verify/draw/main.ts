/**
 * The page that repeats the draw of a waiting room: reads the published list, computes the order,
 * and says whether it is correct and which number is one's own.
 */
import { drawOrder, faultOfDraw, type DrawFault } from '#server/domain/queue/draw.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { make, makeTable } from '#apps/verify/dom.ts';
import { readDraw, readOwn, type PublishedDraw } from './read-draw.ts';
import { faultWords, proves, provesNot, steps } from './words.ts';

const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const place = find<HTMLInputElement>('place');
const promised = find<HTMLInputElement>('promised');
const file = find<HTMLInputElement>('file');
const answer = find('answer');
const event = document.querySelector<HTMLMetaElement>('meta[name="evento"]');
const own = readOwn(location.hash);

interface Worked {
  draw: PublishedDraw;
  fault: DrawFault | null;
  /** Places by number; index 0 has number 1. */
  order: readonly string[];
}
let worked: Worked | null = null;

function say(...content: HTMLElement[]): void {
  answer.replaceChildren(...content);
}

async function take(text: Promise<string>): Promise<void> {
  say(make('p', {}, 'Rifacciamo l’estrazione…'));
  const draw = readDraw(await text.catch(() => ''));
  // The computation blocks the page, so the page first shows that it has begun.
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  worked = draw && { draw, fault: faultOfDraw(draw), order: drawOrder(draw) };
  show();
}

function show(): void {
  if (worked === null)
    return say(banner(false, 'L’elenco non si legge', 'Scegli il file con l’elenco pubblicato.'));
  const { draw, order } = worked;
  say(
    headline(worked),
    ...ownLines(worked),
    make('h2', {}, 'I numeri del conto'),
    fact('Persone estratte', String(order.length)),
    fact('Impronta del numero segreto, pubblicata prima', draw.seed_hash),
    fact(`Impronta dell’elenco, fissato ${formatListDate(draw.fixed_at)}`, draw.root),
    fact(`Numero segreto, aperto ${formatListDate(draw.opened_at)}`, draw.seed),
    make('h2', {}, 'L’ordine'),
    makeTable(
      'Ordine estratto',
      [{ text: 'Numero', number: true }, { text: 'Posto' }],
      order.map((hash, index) => [{ text: String(index + 1), number: true }, { text: hash }]),
    ),
    make('h2', {}, 'Rifare il conto da soli'),
    list(steps),
    make('h2', {}, 'Che cosa prova'),
    list(proves),
    make('h2', {}, 'Che cosa non prova'),
    list(provesNot),
  );
}

function headline({ draw, fault }: Worked): HTMLElement {
  const wanted = promised.value.trim();
  if (fault !== null) return banner(false, 'L’estrazione non torna', faultWords[fault]);
  if (wanted !== '' && wanted !== draw.seed_hash)
    return banner(false, 'L’estrazione non è quella promessa', faultWords.promised);
  return banner(
    true,
    'L’estrazione torna',
    wanted === ''
      ? 'Il numero segreto è quello della sua impronta e l’elenco è quello fissato: l’ordine è questo.'
      : 'Il numero segreto è quello promesso prima dell’apertura e l’elenco è quello fissato: l’ordine è questo.',
  );
}

function ownLines({ draw, order }: Worked): HTMLElement[] {
  const hash = place.value.trim();
  if (hash === '') return [];
  const number = order.indexOf(hash) + 1;
  if (number === 0)
    return [
      make(
        'p',
        {},
        'Il tuo posto non era nell’estrazione: chi entra dopo segue l’ordine di arrivo.',
      ),
    ];
  const [, nonce = ''] = draw.entrants.find(([entrant]) => entrant === hash) ?? [];
  return [
    make('p', { class: 'number-of-mine' }, `Il tuo numero è ${number} di ${order.length}.`),
    make('p', {}, nonceWords(nonce)),
  ];
}

function nonceWords(nonce: string): string {
  if (own.nonce === '' || place.value.trim() !== own.place)
    return `Il browser di questo posto ha aggiunto ${nonce}.`;
  return nonce === own.nonce
    ? `Il numero aggiunto dal tuo browser, ${nonce}, è nell’elenco.`
    : `Attenzione: il tuo browser aveva aggiunto ${own.nonce}, nell’elenco c’è ${nonce}.`;
}

function fact(name: string, value: string): HTMLElement {
  return make('p', {}, `${name}: `, make('span', { class: 'code' }, value));
}

function banner(good: boolean, title: string, text: string): HTMLElement {
  return make(
    'div',
    { class: `verdict ${good ? 'good' : 'bad'}` },
    make('h2', {}, title),
    make('p', {}, text),
  );
}

function list(texts: readonly string[]): HTMLElement {
  return make('ul', {}, ...texts.map((text) => make('li', {}, text)));
}

/** Before the opening: explains how the draw will be done. */
function sayNotYet(): void {
  say(
    make('h2', {}, 'L’ordine non è ancora estratto'),
    make(
      'p',
      {},
      'Si estrae all’apertura: allora questa pagina rifà il conto e mostra il tuo numero.',
    ),
    make('h2', {}, 'Come si fa il conto'),
    list(steps),
  );
}

/** Fetches the list from the house that serves this page; a page on a disk asks for the file. */
async function takeOwnList(id: string): Promise<void> {
  const address = `/api/event/${encodeURIComponent(id)}/queue/draw`;
  const save = make(
    'a',
    { href: location.pathname, download: 'sorteggio.html' },
    'Salva questa pagina',
  );
  const reply = await fetch(address).catch(() => null);
  const isDrawn = reply?.status !== 409;
  const saveList = make('a', { href: address, download: `sorteggio-${id}.json` }, 'Salva l’elenco');
  find('drop').replaceWith(make('p', {}, save, ...(isDrawn ? [' · ', saveList] : [])));
  if (isDrawn) await take(reply?.ok ? reply.text() : Promise.resolve(''));
  else sayNotYet();
}

place.value = own.place;
promised.value = own.promised;
find('event').textContent = event?.dataset['title'] ?? '';
file.addEventListener('change', () => {
  const chosen = file.files?.[0];
  if (chosen !== undefined) void take(chosen.text());
});
find('ask').addEventListener('submit', (submitted) => submitted.preventDefault());
for (const field of [place, promised])
  field.addEventListener('change', () => {
    if (worked !== null) show();
  });
if (event && location.protocol.startsWith('http')) void takeOwnList(event.content);
