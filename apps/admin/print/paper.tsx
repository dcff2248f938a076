/** Tickets for the browser's print, on an 80 mm roll or on A6; hidden on the screen. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readPaper } from '#server/contract/counter.ts';
import type { TicketLayout } from '#server/domain/counter/printing.ts';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { usePageStyle } from '#apps/admin/kit/page-style.ts';
import styles from './paper.module.css';

type Ticket = ReplyOf<typeof readPaper>['tickets'][number];

interface PaperProps {
  tickets: readonly Ticket[];
  layout: TicketLayout;
}

export function PaperTickets({ tickets, layout }: PaperProps) {
  usePageStyle(`@page { size: ${layout === 'a6' ? '105mm 148mm' : '80mm 160mm'}; margin: 0 }`);
  return (
    <div className={joinClasses(styles.paper, layout === 'a6' && styles.card)} aria-hidden="true">
      {tickets.map((ticket) => (
        <article key={ticket.code} className={styles.ticket}>
          {ticket.house.logo !== null && <img src={`${ticket.house.logo}/320.jpg`} alt="" />}
          <p>{ticket.organiser}</p>
          {ticket.trial !== null && <p className={styles.trial}>{ticket.trial}</p>}
          <h1>{ticket.title}</h1>
          <p>
            <strong>{ticket.date}</strong>
          </p>
          {ticket.doors !== null && <p>{ticket.doors}</p>}
          <p>{ticket.venue}</p>
          <h2>{ticket.seat}</h2>
          {ticket.gate !== null && <p>{ticket.gate}</p>}
          <p>{ticket.price}</p>
          {ticket.holder !== null && <p>{ticket.holder}</p>}
          {ticket.fiscal !== null && <p className={styles.small}>{ticket.fiscal}</p>}
          <QrCode text={ticket.code} label={`Codice del biglietto ${ticket.code_for_people}`} />
          <p className={styles.code}>{ticket.code_for_people}</p>
          {[...ticket.house.rules, ...ticket.house.foot].map((line) => (
            <p key={line} className={styles.small}>
              {line}
            </p>
          ))}
          <p className={styles.small}>{ticket.order}</p>
          <p className={styles.small}>{ticket.no_seal}</p>
        </article>
      ))}
    </div>
  );
}
