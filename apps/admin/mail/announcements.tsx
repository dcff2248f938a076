/** On the pages of an event or a show: an act whose mails wait a minute, and its way back. */
import { Link } from 'react-router-dom';
import {
  listAnnouncements,
  takeBackAnnouncement,
  takeBackCancellation,
} from '#server/contract/announcements.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { AnnouncedAct } from '#server/domain/mail/announcement.ts';
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { UndoStrip } from '#apps/admin/kit/undo-strip.tsx';

type List = ReplyOf<typeof listAnnouncements>;
export type Announcement = List['items'][number];

interface ActWords {
  what: string;
  undo: string;
  undone: string;
}

const moved: ActWords = {
  what: 'Data o luogo cambiati',
  undo: 'Annulla la modifica',
  undone: 'Modifica annullata: data e luogo sono come prima',
};
const actWords = withOther<Record<AnnouncedAct, ActWords>>(
  {
    event_saved: moved,
    show_changed: moved,
    event_postponed: {
      what: 'Evento rinviato',
      undo: 'Annulla il rinvio',
      undone: 'Rinvio annullato: la data è quella di prima',
    },
    names_asked: {
      what: 'Nomi chiesti agli acquirenti',
      undo: 'Annulla la richiesta',
      undone: 'Richiesta dei nomi annullata',
    },
    sale_open: {
      what: 'Vendita aperta',
      undo: 'Annulla l’apertura',
      undone: 'Apertura annullata: la vendita è come prima',
    },
    orders_transferred: {
      what: 'Ordini portati su un’altra data',
      undo: 'Annulla il cambio data',
      undone: 'Cambio data annullato: gli ordini restano dove sono',
    },
    event_cancelled: {
      what: 'Evento annullato',
      undo: 'Ritira l’annullamento',
      undone: 'Annullamento ritirato: l’evento è come prima',
    },
  },
  { what: newerWord, undo: 'Annulla', undone: 'Annullato' },
);

/** How often it asks while nothing waits. */
const idleMs = 15_000;

function nextLook(list: List | undefined): number {
  if (list === undefined) return idleMs;
  const waiting = list.items.filter(({ state }) => state === 'waiting');
  const left = waiting.map(({ begins_at }) => Date.parse(begins_at) - Date.parse(list.at));
  return Math.max(500, Math.min(idleMs, ...left.map((ms) => ms + 300)));
}

/** Give the event or the show. */
export function Announcements(query: { event_id: string } | { show_id: string }) {
  const list = useEndpoint(
    listAnnouncements,
    { query },
    { refetchInterval: ({ state }) => nextLook(state.data) },
  );
  if (list.data === undefined) return null;
  const { at, items } = list.data;
  const shown = items.filter(({ state }, nth) => nth === 0 || state === 'waiting');
  // The clocks of server and computer may differ.
  const ahead = list.dataUpdatedAt - Date.parse(at);
  return shown.map((item) => <OneAct key={item.announcement_id} item={item} ahead={ahead} />);
}

function OneAct({ item, ahead }: { item: Announcement; ahead: number }) {
  const { what, undone } = actWords[item.act];
  if (item.state === 'waiting') return <Waiting item={item} ahead={ahead} />;
  if (item.state === 'taken_back')
    return (
      <Notice tone="good" as="div" role="status">
        {undone}. Non è partita nessuna e-mail.
      </Notice>
    );
  if (item.buyers === 0) return null;
  return (
    <Notice as="div" role="status">
      {what}: partono le e-mail a {toWhom(item)}.{' '}
      <Link to="/started">Vedi le attività avviate</Link>
    </Notice>
  );
}

function Waiting({ item, ahead }: { item: Announcement; ahead: number }) {
  const { act, begins_at, announcement_id } = item;
  const takeBack = useTakeBack(act);
  return (
    <UndoStrip
      what={actWords[act].what}
      leaves={leaving(item)}
      until={Date.parse(begins_at) + ahead}
      undoLabel={actWords[act].undo}
      onUndo={takeBack && (() => takeBack(announcement_id))}
    />
  );
}

/** Takes an act back; undefined: this person may not. */
export function useTakeBack(act: AnnouncedAct): ((id: string) => Promise<unknown>) | undefined {
  const change = useChange();
  const mayEdit = useMay(takeBackAnnouncement.who);
  const mayCancel = useMay(takeBackCancellation.who);
  if (act === 'event_cancelled')
    return mayCancel ? (runId) => change(takeBackCancellation, { params: { runId } }) : undefined;
  if (!mayEdit) return undefined;
  return (announcementId) => change(takeBackAnnouncement, { params: { announcementId } });
}

function leaving({ act, buyers, ...item }: Announcement): string {
  if (act === 'sale_open') {
    const many = formatCount(buyers, 'persona che aspetta', 'persone che aspettano');
    return `le e-mail a ${many} partono`;
  }
  if (act !== 'event_cancelled') return `le e-mail a ${toWhom({ buyers, ...item })} partono`;
  return buyers === 0 ? 'diventa definitivo' : 'le e-mail e i rimborsi partono';
}

function toWhom({ buyers, events }: Pick<Announcement, 'buyers' | 'events'>): string {
  const many = formatCount(buyers, 'acquirente', 'acquirenti');
  return events === 1 ? many : `${many} di ${formatCount(events, 'data', 'date')}`;
}
