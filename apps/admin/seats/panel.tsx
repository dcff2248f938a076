/** Details of one object on the map: a seat with its occupant, or a standing area. */
import { isolate } from '#server/domain/text/direction.ts';
import { Link } from 'react-router-dom';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { MoveLink } from '#apps/admin/order/move-link.tsx';
import { SeatState } from './figures.tsx';
import type { Occupant, OfficeSeat, Seats } from './seats.ts';
import { mapStatusWords, seatStateWords } from '#apps/admin/kit/words.ts';
import { releaseWords, type Block } from '#apps/admin/seats/kept/block-words.ts';
import { Swatch } from '#apps/admin/seats/kept/swatch.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './panel.module.css';

/** More people than this in an area must be searched. */
const mostPeople = 100;

interface SeatPanelProps {
  seats: readonly OfficeSeat[];
  area: Seats['areas'][number] | null;
  areaBlocks: readonly Block[];
  /** The companion seats of a wheelchair space, or the spaces of a companion seat. */
  partners: readonly OfficeSeat[];
  onVisit: (seat: OfficeSeat) => void;
  onClose: () => void;
}

export function SeatPanel({ seats, area, areaBlocks, partners, onVisit, onClose }: SeatPanelProps) {
  const [seat] = seats;
  if (!seat) return null;
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h2>{seat.isArea ? seat.seat : seat.name}</h2>
        <button
          type="button"
          className="ui-dialog-close"
          aria-label="Chiudi il posto"
          onClick={onClose}
        >
          <Icon name="cross" />
        </button>
      </div>
      {seat.isArea ? (
        <AreaFacts seats={seats} area={area} blocks={areaBlocks} />
      ) : (
        <SeatFacts seat={seat} partners={partners} onVisit={onVisit} />
      )}
    </div>
  );
}

function SeatFacts({
  seat,
  partners,
  onVisit,
}: Pick<SeatPanelProps, 'partners' | 'onVisit'> & { seat: OfficeSeat }) {
  return (
    <>
      <p>
        <SeatState state={seat.state} />
      </p>
      {seat.unguarded && <Notice tone="bad">Sulla pianta risulta libero.</Notice>}
      <Facts>
        <Fact name="Categoria">{seat.category || '–'}</Fact>
        {(seat.accessible || seat.companion) && (
          <Fact name="Accessibile">
            {seat.accessible ? 'Posto per sedia a rotelle' : 'Posto per chi accompagna'}
            {partners.map((partner) => (
              <button
                key={partner.place}
                type="button"
                className={`${textStyles.link} ${styles.partner}`}
                onClick={() => onVisit(partner)}
              >
                {partner.companion ? 'Accompagna' : 'Insieme a'}: posto {partner.seat} (
                {seatStateWords[partner.state].word.toLowerCase()})
              </button>
            ))}
          </Fact>
        )}
        {seat.contingent !== null && (
          <Fact name="Contingente">
            <Swatch color={seat.contingent.color} /> {seat.contingent.name}
            {seat.contingent.sale === 'counter' && ' (solo alla cassa)'}
          </Fact>
        )}
        {seat.block !== null && <BlockFacts block={seat.block} />}
        {seat.occupant === null ? (
          seat.block === null &&
          seat.mapStatus !== null && <Fact name="Perché">{mapStatusWords(seat.mapStatus)}</Fact>
        ) : (
          <OccupantFacts occupant={seat.occupant} />
        )}
      </Facts>
    </>
  );
}

function BlockFacts({ block }: { block: NonNullable<OfficeSeat['block']> }) {
  return (
    <>
      <Fact name="Motivo">
        <Swatch color={block.color} /> {block.reason}
      </Fact>
      <Fact name="Scadenza">{releaseWords(block.release_at)}</Fact>
    </>
  );
}

function OccupantFacts({ occupant }: { occupant: Occupant }) {
  return (
    <>
      <Fact name="Ordine">
        <Link className={textStyles.code} to={`/orders/${encodeURIComponent(occupant.order_id)}`}>
          {occupant.order_number}
        </Link>
      </Fact>
      <Fact name="Acquirente">{occupant.buyer_name ?? 'Non ancora indicato'}</Fact>
      {occupant.holder !== null && <Fact name="Intestatario">{occupant.holder}</Fact>}
      <Fact name="Tipo">{occupant.type_label}</Fact>
      <Fact name="Prezzo">{formatEuro(occupant.price_cents)}</Fact>
      {occupant.pay_by !== null && (
        <Fact name="Da pagare entro">{formatListDate(occupant.pay_by)}</Fact>
      )}
      {occupant.ticket_id !== null && (
        <Fact name="Ingresso">
          <Link to={`/door/scans?ticket=${encodeURIComponent(occupant.ticket_id)}`}>
            {occupant.admitted_at === null
              ? 'Non entrato'
              : `Entrato ${formatListDate(occupant.admitted_at)}`}
          </Link>
        </Fact>
      )}
      {occupant.ticket_id !== null && occupant.admitted_at === null && (
        <Fact name="Posto">
          <MoveLink order={occupant} tickets={[occupant.ticket_id]} />
        </Fact>
      )}
    </>
  );
}

function isTaken(seat: OfficeSeat): seat is OfficeSeat & { occupant: Occupant } {
  return seat.occupant !== null;
}

interface AreaFactsProps {
  seats: readonly OfficeSeat[];
  area: Seats['areas'][number] | null;
  blocks: readonly Block[];
}

function AreaFacts({ seats, area, blocks }: AreaFactsProps) {
  const people = seats.filter(isTaken);
  const { held = 0, blocked = 0 } = area ?? {};
  const free = Math.max(0, seats.length - people.length - held - blocked);
  return (
    <>
      <Facts>
        <Fact name="Posti">{seats.length.toLocaleString('it-IT')}</Fact>
        <Fact name="Presi">{people.length.toLocaleString('it-IT')}</Fact>
        {held > 0 && <Fact name="Nel carrello">{held.toLocaleString('it-IT')}</Fact>}
        {blocked > 0 && <Fact name="Bloccati">{blocked.toLocaleString('it-IT')}</Fact>}
        <Fact name="Liberi">{free.toLocaleString('it-IT')}</Fact>
        {blocks.map(({ block_id, reason, area: kept, release_at }) => (
          <Fact key={block_id} name={reason}>
            {formatCount(kept?.places ?? 0, 'posto', 'posti')} · {releaseWords(release_at)}
          </Fact>
        ))}
      </Facts>
      <ul className={styles.people}>
        {people.slice(0, mostPeople).map(({ place, state, occupant }) => (
          <li key={place}>
            <SeatState state={state} />
            <span>
              {isolate(occupant.holder ?? occupant.buyer_name ?? 'Non ancora indicato')}{' '}
              <span className={textStyles.soft}>{occupant.type_label}</span>
            </span>
            <Link
              className={textStyles.code}
              to={`/orders/${encodeURIComponent(occupant.order_id)}`}
            >
              {occupant.order_number}
            </Link>
          </li>
        ))}
      </ul>
      {people.length > mostPeople && (
        <p className={textStyles.soft}>
          E {formatCount(people.length - mostPeople, 'altro posto', 'altri posti')}: cerca il nome o
          l’ordine.
        </p>
      )}
    </>
  );
}
