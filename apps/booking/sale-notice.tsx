/** Why nothing can be bought now, in a sentence; while the sale is open, how to begin. */
import { formatEuro } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import type { SalesState } from '#server/domain/event.ts';
import type { EventReply } from './replies.ts';
import { sayFrom, sayLeft } from './sale-words.ts';

const icons: Record<SalesState, IconName> = { open: 'info', not_yet: 'clock', closed: 'lock', cancelled: 'warning' };

type Left = Pick<EventReply, 'sales' | 'availability' | 'places_left'>;

export function SaleNotice({ sales, fee, left }: { sales: EventReply['sales']; fee: EventReply['fee']; left: Left }) {
  const few = sayLeft(left);
  if (sales.state === 'open') {
    return (
      <div className="chart-intro">
        <h2>Scegli i tuoi posti</h2>
        {few !== null && <p><Badge tone="warn">{few}</Badge></p>}
        <p className="soft">Puoi scegliere al massimo {sales.max_seats === 1 ? 'un posto' : `${sales.max_seats} posti vicini tra loro`}.</p>
        {fee !== null && <p className="soft">Al prezzo dei posti si aggiunge il diritto di prevendita: {formatEuro(fee.unit_amount)} a biglietto.</p>}
      </div>
    );
  }
  return (
    <div className={`notice notice-${sales.state}`}>
      <Icon name={icons[sales.state]} size={28} />
      <div>
        <h2 className="notice-title">{titleOf(sales)}</h2>
        <p>{textOf(sales.state)}</p>
      </div>
    </div>
  );
}

function titleOf({ state, opens_at }: EventReply['sales']): string {
  switch (state) {
    case 'cancelled': return 'Evento annullato';
    case 'not_yet': return opens_at === null ? 'La vendita non è ancora aperta' : `In vendita ${sayFrom(opens_at)}`;
    default: return 'Vendita chiusa';
  }
}

function textOf(state: SalesState): string {
  switch (state) {
    case 'cancelled': return 'Se hai già i biglietti, ti scriveremo per il rimborso: non devi fare nulla.';
    case 'not_yet': return 'Intanto puoi guardare la pianta e i prezzi: questa pagina si aggiorna da sola all’apertura della vendita.';
    default: return 'Per questo spettacolo non si vendono più biglietti online.';
  }
}
