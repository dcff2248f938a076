/**
 * A sentence on why nothing can be bought now, and where else to look; during the sale, how to
 * begin.
 */
import { Link } from 'react-router-dom';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import type { SalesState } from '#server/domain/event/event.ts';
import { useDrawnPage } from '#apps/booking/shell/page/page-data.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { sayFrom } from '#server/domain/time/dates.ts';
import { sayBegun, sayState } from './sale-words.ts';
import styles from './sale-notice.module.css';

const icons: Record<SalesState, IconName> = {
  open: 'info',
  not_yet: 'clock',
  paused: 'clock',
  closed: 'lock',
  cancelled: 'warning',
};

const looks: Partial<Record<SalesState, string | undefined>> = {
  not_yet: styles.waiting,
  paused: styles.waiting,
  cancelled: styles.cancelled,
};

/** `isFull`: the sale is open, and every place is taken. */
export function SaleNotice({ page, isFull }: { page: EventReply; isFull: boolean }) {
  const { now } = useDrawnPage().data;
  const { event, sales } = page;
  if (sales.state === 'open' && !isFull) {
    return (
      <div className={`${styles.intro} no-print`}>
        <h2>Scegli i tuoi posti</h2>
        <p className="soft">
          Puoi scegliere al massimo{' '}
          {sales.max_seats === 1 ? 'un posto' : `${sales.max_seats} posti vicini tra loro`}.
        </p>
        <NoticeList sentences={page.notices.map(({ hall }) => hall)} />
      </div>
    );
  }
  const begun = sales.state === 'cancelled' ? null : sayBegun(event, now);
  return (
    <div className={`${styles.notice} ${looks[sales.state] ?? ''}`}>
      <Icon name={icons[sales.state]} size={28} />
      <div>
        <h2 className={styles.title}>
          {begun?.title ?? titleOf(sales) ?? 'Non ci sono più posti'}
        </h2>
        <p>
          {begun?.text} {textOf(sales.state)}
        </p>
        {sales.state === 'not_yet' ? (
          <NoticeList sentences={page.notices.map(({ hall }) => hall)} />
        ) : (
          <ToProgramme />
        )}
      </div>
    </div>
  );
}

/** Sentences that a buyer must read before choosing and before paying. */
export function NoticeList({ sentences }: { sentences: readonly string[] }) {
  return (
    sentences.length > 0 && (
      <ul className={`${styles.notices} small soft`}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    )
  );
}

function ToProgramme() {
  return <Link to="/">Guarda gli spettacoli in programma</Link>;
}

function titleOf(sales: EventReply['sales']): string | null {
  return sales.state === 'not_yet' && sales.opens_at !== null
    ? `In vendita ${sayFrom(sales.opens_at)}`
    : sayState(sales);
}

function textOf(state: SalesState): string {
  if (state === 'cancelled')
    return 'Se hai già i biglietti, ti scriveremo per il rimborso: non devi fare nulla.';
  if (state === 'paused') return 'Se hai già i biglietti, valgono. Riprova tra un po’.';
  if (state === 'open')
    return 'Se un posto torna libero, questa pagina lo mostra da sola: puoi lasciarla aperta.';
  return state === 'not_yet'
    ? 'Intanto puoi guardare la pianta e i prezzi: questa pagina si aggiorna da sola all’apertura della vendita.'
    : 'Per questo spettacolo non si vendono più biglietti online.';
}
