/** Details of a table, booth or area that is sold whole: who has it and how many come. */
import { Link } from 'react-router-dom';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { SeatState } from './figures.tsx';
import { isTaken, PeopleInside } from './people-inside.tsx';
import { speakerOf, sumOf, type OfficeSeat } from './seats.ts';
import { BlockFacts } from './block-facts.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { mapStatusWords } from '#apps/admin/kit/words.ts';
import { Swatch } from '#apps/admin/seats/kept/swatch.tsx';
import { MoveLink } from '#apps/admin/order/move-link.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';

export function WholeFacts({ seats }: { seats: readonly [OfficeSeat, ...OfficeSeat[]] }) {
  const seat = speakerOf(seats);
  const people = seats.filter(isTaken);
  const tickets = people.flatMap(({ occupant }) => occupant.ticket_id ?? []);
  const isOut = people.every(({ occupant }) => occupant.admitted_at === null);
  return (
    <>
      <p>
        <SeatState state={seat.state} />
      </p>
      {seat.unguarded && <Notice tone="bad">Sulla pianta risulta libero.</Notice>}
      <Facts>
        <Fact name="Categoria">{seat.category || '–'}</Fact>
        <Fact name="Posti">{seats.length}, si vendono insieme</Fact>
        {seat.contingent !== null && (
          <Fact name="Contingente">
            <Swatch color={seat.contingent.color} /> {seat.contingent.name}
          </Fact>
        )}
        {seat.block !== null && <BlockFacts block={seat.block} />}
        {seat.occupant === null && seat.block === null && seat.mapStatus !== null && (
          <Fact name="Perché">{mapStatusWords(seat.mapStatus)}</Fact>
        )}
        {seat.occupant !== null && (
          <>
            <Fact name="Vengono">
              in {people.length} di {seats.length}
              {people.length < seats.length && ': gli altri posti restano chiusi'}
            </Fact>
            <Fact name="Ordine">
              <Link
                className={textStyles.code}
                to={`/orders/${encodeURIComponent(seat.occupant.order_id)}`}
              >
                {seat.occupant.order_number}
              </Link>
            </Fact>
            <Fact name="Acquirente">{seat.occupant.buyer_name ?? 'Non ancora indicato'}</Fact>
            <Fact name="Prezzo">{formatEuro(sumOf(people.map(({ occupant }) => occupant)))}</Fact>
            {seat.occupant.pay_by !== null && (
              <Fact name="Da pagare entro">{formatListDate(seat.occupant.pay_by)}</Fact>
            )}
            {tickets.length > 0 && (
              <Fact name="Entrati">
                {people.filter(({ occupant }) => occupant.admitted_at !== null).length} di{' '}
                {people.length}
              </Fact>
            )}
            {tickets.length > 0 && isOut && (
              <Fact name="Posto">
                <MoveLink order={seat.occupant} tickets={tickets} />
              </Fact>
            )}
          </>
        )}
      </Facts>
      <PeopleInside people={people} />
    </>
  );
}
