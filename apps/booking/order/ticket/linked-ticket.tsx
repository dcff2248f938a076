/**
 * One ticket, opened by its own link (RULES O22): code, place and evening, and nothing of the
 * order. The browser keeps it, so that it opens at a door without signal.
 */
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import { call, CallError } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { trialWords } from '#server/domain/door/trial.ts';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import {
  downloadLinkedCalendar,
  downloadLinkedPass,
  readLinkedTicket,
  saveLinkedToGoogle,
} from '#server/contract/order/ticket-links.ts';
import { EventFacts } from '#apps/booking/order/event-facts.tsx';
import { SavedNotice } from '#apps/booking/order/saved-notice.tsx';
import { freshOrSaved, askAgainWhileSaved, useKeptPages } from '#apps/booking/order/use-order.ts';
import { LostPage } from '#apps/booking/shell/page/lost-page.tsx';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { WalletButtons } from './take-away.tsx';
import { TicketCard } from './ticket-card.tsx';
import { TicketScreen } from './ticket-screen.tsx';
import frame from '#apps/booking/shell/page/frame.module.css';
import page from '#apps/booking/order/confirmed.module.css';

export function LinkedTicket() {
  const { orderId: ticketKey = '' } = useParams();
  usePageTitle('Il tuo biglietto');
  const { data, error, isPending, refetch } = useLinked(ticketKey);
  if (isPending)
    return (
      <PlainPage>
        <h1 className="visually-hidden">Il tuo biglietto</h1>
        <Spinner fullScreen />
      </PlainPage>
    );
  const isEnded = error instanceof CallError && error.code === 'ticket_link_ended';
  if (isEnded)
    return (
      <PlainPage>
        <LostPage title="Link non più valido" detail={error.message} />
      </PlainPage>
    );
  return (
    <PlainPage>
      {data === undefined ? (
        <ErrorView onRetry={refetch} isPage />
      ) : (
        <GuestTicket ticketKey={ticketKey} shown={data} />
      )}
    </PlainPage>
  );
}

/** The answer as the list of kept tickets stores it. */
function storable(ticketKey: string, reply: ReplyOf<typeof readLinkedTicket>) {
  return { ...reply, order_id: ticketKey, state: 'confirmed' as const, tickets: [reply.ticket] };
}
type LinkedPage = ReturnType<typeof storable>;

function useLinked(ticketKey: string) {
  const params = { ticketKey };
  const found = useQuery({
    queryKey: keyOf(readLinkedTicket, { params }),
    queryFn: ({ signal }) =>
      freshOrSaved<LinkedPage>(ticketKey, signal, async (until) =>
        storable(ticketKey, await call(readLinkedTicket, { params }, { signal: until })),
      ),
    // Runs the query even without signal, to find the saved ticket.
    networkMode: 'always',
    refetchInterval: ({ state: { data } }) => askAgainWhileSaved(data),
  });
  useKeptPages(found.data?.saved === null);
  return found;
}

interface GuestTicketProps {
  ticketKey: string;
  shown: { order: LinkedPage; saved: Parameters<typeof SavedNotice>[0]['saved'] | null };
}

function GuestTicket({ ticketKey, shown: { order, saved } }: GuestTicketProps) {
  const { ticket, event, wallets } = order;
  const [onScreen, setOnScreen] = useState(false);
  const params = { ticketKey };
  const isGood = ticket.code !== '' && !event.cancelled;
  return (
    <>
      {saved !== null && <SavedNotice saved={saved} />}
      <h1 className={`${frame.title} visually-hidden`}>Il tuo biglietto</h1>
      {event.cancelled && <p className={page.trial}>L’evento è stato annullato: non si entra.</p>}
      {ticket.trial && <p className={page.trial}>{trialWords}</p>}
      <ul className={page.reel}>
        <TicketCard
          ticket={ticket}
          event={event}
          refundedCents={0}
          forDoor
          position="1 di 1"
          onShow={isGood ? () => setOnScreen(true) : null}
          onName={null}
        >
          {/* Passes are made by the server, so they need signal. */}
          {saved === null && (
            <WalletButtons
              seat={ticket.seat}
              wallets={wallets}
              pass={addressOf(downloadLinkedPass, params)}
              onSave={() => call(saveLinkedToGoogle, { params })}
            />
          )}
        </TicketCard>
      </ul>
      <section className={`${page.help} no-print`}>
        <p className="soft">
          All’ingresso mostra il codice QR dal telefono o stampato: vale per una sola entrata.{' '}
          {event.reentry_rule} Chi apre questo link può entrare al posto tuo: non inoltrarlo.
        </p>
        {saved === null && <TakeAway ticketKey={ticketKey} />}
      </section>
      <section aria-labelledby="order-facts-title">
        <EventFacts event={event} />
      </section>
      {onScreen && (
        <TicketScreen
          tickets={[ticket]}
          event={event}
          first={0}
          onClose={() => setOnScreen(false)}
        />
      )}
    </>
  );
}

function TakeAway({ ticketKey }: { ticketKey: string }) {
  return (
    <ul className={page.documents}>
      <li>
        <a className="ui-button" href={addressOf(downloadLinkedCalendar, { ticketKey })}>
          <Icon name="calendar" /> Aggiungi al calendario
        </a>
      </li>
      <li>
        <button type="button" className="ui-button" onClick={() => window.print()}>
          <Icon name="print" /> Stampa il biglietto
        </button>
      </li>
    </ul>
  );
}
