/** Details of one object on the map: a seat with its occupant, a whole table, or an area. */
import { Link } from 'react-router-dom';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { MoveLink } from '#apps/admin/order/move-link.tsx';
import { BlockFacts } from './block-facts.tsx';
import { SeatState } from './figures.tsx';
import { isTaken, PeopleInside } from './people-inside.tsx';
import { WholeFacts } from './whole-facts.tsx';
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
  /** The places of one object. */
  seats: readonly [OfficeSeat, ...OfficeSeat[]];
  area: Seats['areas'][number] | null;
  areaBlocks: readonly Block[];
  contingents: Seats['contingents'];
  /** The companion seats of a wheelchair space, or the spaces of a companion seat. */
  partners: readonly OfficeSeat[];
  onVisit: (seat: OfficeSeat) => void;
  onClose: () => void;
}

export function SeatPanel(props: SeatPanelProps) {
  const { seats, area, areaBlocks, contingents, partners, onVisit, onClose } = props;
  const [seat] = seats;
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h2>{seat.isArea ? seat.seat : seat.objectName}</h2>
        <button
          type="button"
          className="ui-dialog-close"
          aria-label="Chiudi il posto"
          onClick={onClose}
        >
          <Icon name="cross" />
        </button>
      </div>
      {seat.isArea && (
        <AreaFacts seats={seats} area={area} blocks={areaBlocks} contingents={contingents} />
      )}
      {seat.inWhole && <WholeFacts seats={seats} />}
      {!seat.isArea && !seat.inWhole && (
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

interface AreaFactsProps {
  seats: readonly OfficeSeat[];
  area: Seats['areas'][number] | null;
  blocks: readonly Block[];
  contingents: Seats['contingents'];
}

function AreaFacts({ seats, area, blocks, contingents }: AreaFactsProps) {
  const kept = contingents.flatMap(({ areas, ...contingent }) =>
    areas.flatMap(({ object, places }) =>
      object === seats[0]?.object ? [{ ...contingent, places }] : [],
    ),
  );
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
        {kept.map(({ contingent_id, color, name, places }) => (
          <Fact key={contingent_id} name="Contingente">
            <Swatch color={color} /> {name}: {formatCount(places, 'posto', 'posti')}
          </Fact>
        ))}
        {blocks.map(({ block_id, reason, area: blocked_area, release_at }) => (
          <Fact key={block_id} name={reason}>
            {formatCount(blocked_area?.places ?? 0, 'posto', 'posti')} · {releaseWords(release_at)}
          </Fact>
        ))}
      </Facts>
      <PeopleInside people={people.slice(0, mostPeople)} />
      {people.length > mostPeople && (
        <p className={textStyles.soft}>
          E {formatCount(people.length - mostPeople, 'altro posto', 'altri posti')}: cerca il nome o
          l’ordine.
        </p>
      )}
    </>
  );
}
