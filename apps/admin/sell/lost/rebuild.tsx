/**
 * After a restore: a sale of the counter that the copy lacks is written again from its tickets,
 * scanned, typed, or read by a phone at the door.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listLost, lookAtLost, rebuildSale } from '#server/contract/lost-sales.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { FindTicket } from './find-ticket.tsx';
import { LostSale, type LostTicket } from './lost-sale.tsx';

type Rebuilt = ReplyOf<typeof rebuildSale>;
type Restored = NonNullable<ReplyOf<typeof listLost>['restored']>;

export function RebuildScreen() {
  const lost = useEndpoint(listLost, {}, { refetchInterval: 15_000 });
  return (
    <>
      <BackLink to="/sell">Vendi</BackLink>
      <PageTitle title="Ricostruisci una vendita" />
      <Loaded query={lost}>
        {({ restored, scans }) =>
          restored === null ? (
            <Empty icon="check" title="Non c’è niente da ricostruire.">
              <p>Questo botteghino non è mai ripartito da una copia.</p>
            </Empty>
          ) : (
            <Rebuild restored={restored} scans={scans} />
          )
        }
      </Loaded>
    </>
  );
}

interface RebuildProps {
  restored: Restored;
  scans: ReplyOf<typeof listLost>['scans'];
}

function Rebuild({ restored, scans }: RebuildProps) {
  const act = useAct();
  const client = useQueryClient();
  const [tickets, setTickets] = useState<readonly LostTicket[]>([]);
  const [done, setDone] = useState<Rebuilt | null>(null);
  const find = async (ticket: string) => {
    setDone(null);
    const found = await act(lookAtLost, { body: { ticket } });
    if (found.obstacle === null) setTickets((known) => withTicket(known, { ...found, ticket }));
    return found;
  };
  const rebuilt = async (sale: Rebuilt) => {
    setDone(sale);
    setTickets([]);
    await client.invalidateQueries({ queryKey: keyOf(listLost) });
  };
  return (
    <>
      <Intro>
        Un biglietto vero venduto in cassa tra {formatListDate(restored.copied_at)} e{' '}
        {formatListDate(restored.restored_at)} qui non c’è: la copia è di prima. Leggi il suo codice
        o scrivilo; il foglio che l’acquirente ha in mano resta valido.
      </Intro>
      {done !== null && <Done sale={done} />}
      <FindTicket
        scans={scans}
        taken={tickets.map(({ ticket }) => ticket)}
        event_id={tickets[0]?.event_id ?? null}
        onFind={find}
      />
      {tickets.length > 0 && (
        <LostSale tickets={tickets} onChange={setTickets} onRebuilt={rebuilt} />
      )}
    </>
  );
}

/** Adds a ticket of the same event; the same place once, however often its ticket is read. */
function withTicket(known: readonly LostTicket[], found: LostTicket): readonly LostTicket[] {
  const fits = known.every(
    ({ event_id, place }) => event_id === found.event_id && place !== found.place,
  );
  return fits ? [...known, found] : known;
}

function Done({ sale }: { sale: Rebuilt }) {
  const renewed = sale.tickets.filter(({ same_code }) => !same_code);
  return (
    <Notice as="output" tone={renewed.length === 0 ? 'good' : 'warn'}>
      {sale.replayed ? 'Questa vendita era già ricostruita: ' : 'Vendita ricostruita: '}
      <Link to={`/orders/${sale.order_id}`}>ordine {sale.number}</Link>.{' '}
      {renewed.length === 0
        ? 'I biglietti che l’acquirente ha in mano valgono.'
        : `Il codice è nuovo per ${renewed.map(({ seat }) => seat).join('; ')}: stampa il biglietto dall’ordine e consegnalo.`}
    </Notice>
  );
}
