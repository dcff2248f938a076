/** Everything that needs a person of the office, with the possible acts. */
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readAttention } from '#server/contract/office.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { AttentionActions } from '#apps/admin/order/attention-actions.tsx';
import { Breaks } from '#apps/admin/health/breaks.tsx';
import { Findings } from '#apps/admin/health/findings.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { ListSearchField, NothingFound, useListSearch } from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { mailKindWords, mailTroubleWords } from '#apps/admin/mail/words.ts';
import {
  attentionWords,
  disputeReasonWords,
  disputeStatusWords,
  failureWords,
  refundWordsOf,
} from '#apps/admin/order/refund/money-words.ts';
import { RefundActions } from '#apps/admin/order/refund/refund-actions.tsx';
import { useRefresh } from '#apps/admin/kit/refresh.ts';
import { ResendMail } from '#apps/admin/mail/resend.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './attention.module.css';

type Inbox = ReplyOf<typeof readAttention>;
type Item = Inbox['items'][number];
type About = Item['about'];
type ItemAbout<I extends Item, A extends About> = I extends Item
  ? A extends I['about']
    ? I
    : never
  : never;
/** The items of one kind of subject. */
type Waiting<A extends About> = ItemAbout<Item, A>;

export function AttentionScreen() {
  const search = useListSearch();
  const inbox = usePages(readAttention, { query: search.query }, 15_000);
  return (
    <>
      <PageTitle title="Da sistemare" />
      <ListSearchField
        search={search}
        label="Cerca per ordine, acquirente o evento"
        hint="Ordine, acquirente o evento"
      />
      {search.q === '' && <House findings={inbox.data?.pages[0]?.findings ?? []} />}
      <PagedList pages={inbox}>
        {(items, { count, counts }) => {
          if (count === 0)
            return (
              <Empty icon="check" title="Niente da sistemare.">
                <p>Quando qualcosa aspetta una persona compare qui.</p>
              </Empty>
            );
          return search.q !== '' && items.length === 0 ? (
            <NothingFound search={search} title="Niente da sistemare con queste parole." />
          ) : (
            <Lists items={items} counts={search.q === '' ? counts : null} q={search.q} />
          );
        }}
      </PagedList>
    </>
  );
}

function House({ findings }: Pick<Inbox, 'findings'>) {
  if (findings.length === 0) return null;
  return (
    <section className={styles.inbox} aria-label="La casa">
      <h2>
        La casa <span className={textStyles.soft}>{findings.length}</span>
      </h2>
      <Findings findings={findings} />
      <p>
        <Link to="/settings/health">Apri Salute</Link>
      </p>
    </section>
  );
}

interface ListsProps {
  items: readonly Item[];
  /** Counts over the whole inbox; null while searching. */
  counts: Inbox['counts'] | null;
  q: string;
}

function Lists({ items, counts, q }: ListsProps) {
  const ofKind = <A extends About>(about: A) =>
    items.filter((item): item is Waiting<A> => item.about === about);
  const group = <A extends About>(
    about: A,
    title: string,
    draw: (item: Waiting<A>) => ReactNode,
  ) => {
    const own = ofKind(about);
    return (
      <Group title={title} shown={own.length} count={counts?.[about] ?? own.length}>
        {own.map(draw)}
      </Group>
    );
  };
  const breaks = ofKind('break').length;
  return (
    <>
      {group('order', 'Ordini', (order) => (
        <UndecidedOrder key={order.order_id} order={order} />
      ))}
      {group('refund_request', 'Rimborsi richiesti', (refund) => (
        <Refund key={refund.refund_id} refund={refund} />
      ))}
      {group('refund', 'Rimborsi da chiudere', (refund) => (
        <Refund key={refund.refund_id} refund={refund} />
      ))}
      {group('dispute', 'Contestazioni', (dispute) => (
        <Dispute key={dispute.dispute_id} dispute={dispute} />
      ))}
      {group('mail', 'E-mail non arrivate', (mail) => (
        <UnsentMail key={mail.mail_id} mail={mail} />
      ))}
      {group('seals', 'Sigilli fiscali mancanti', (evening) => (
        <UnsealedEvening key={evening.event_id} evening={evening} />
      ))}
      {breaks > 0 && (
        <section className={styles.inbox} aria-label="Differenze">
          <h2>
            Differenze con Stripe e con la pianta{' '}
            <span className={textStyles.soft}>{counts?.break ?? breaks}</span>
          </h2>
          <Breaks q={q} />
        </section>
      )}
    </>
  );
}

function UndecidedOrder({ order }: { order: Waiting<'order'> }) {
  return (
    <Panel as="li" className={styles.card}>
      <Head about={order}>
        {formatEuro(order.paid_cents > 0 ? order.paid_cents : order.total_cents)}
      </Head>
      <p>{attentionWords(order.needs_attention)}</p>
      <p className={textStyles.soft}>{order.seats.join(' · ')}</p>
      {order.others.length > 0 && (
        <p>
          Altri ordini dello stesso indirizzo:{' '}
          {order.others.map(({ order_id, number, tickets }) => (
            <span key={order_id}>
              <Link className={textStyles.code} to={`/orders/${order_id}`}>
                {number}
              </Link>{' '}
              ({formatCount(tickets, 'biglietto', 'biglietti')}){' '}
            </span>
          ))}
        </p>
      )}
      <AttentionActions
        order_id={requireValue(order.order_id, 'order')}
        reason={order.needs_attention}
        decisions={order.decisions}
        paid_cents={order.paid_cents}
        seats={order.seats}
      />
    </Panel>
  );
}

function Dispute({ dispute }: { dispute: Waiting<'dispute'> }) {
  return (
    <Panel as="li" className={styles.card}>
      <Head about={dispute}>{formatEuro(dispute.amount_cents)}</Head>
      <p>
        <b>{disputeStatusWords(dispute.status)}</b>: {disputeReasonWords(dispute.reason)}.
        {dispute.due_by !== null && (
          <>
            {' '}
            Le prove vanno caricate sul sito di Stripe entro il{' '}
            <b>{formatListDate(dispute.due_by)}</b>.
          </>
        )}
      </p>
      {dispute.order_id !== null && dispute.decisions.length > 0 && (
        <AttentionActions
          order_id={dispute.order_id}
          reason="disputed"
          decisions={dispute.decisions}
          paid_cents={dispute.amount_cents}
          seats={dispute.seats}
        />
      )}
    </Panel>
  );
}

function UnsentMail({ mail }: { mail: Waiting<'mail'> }) {
  const refresh = useRefresh();
  return (
    <Panel as="li" className={styles.card}>
      <Head about={mail}>{mailKindWords[mail.kind]}</Head>
      <p>
        {mail.trouble === null ? 'Il messaggio non è partito.' : mailTroubleWords[mail.trouble]}{' '}
        {mail.to_address !== null && <span className={textStyles.soft}>{mail.to_address}</span>}
      </p>
      <div className={buttonStyles.actions}>
        <ResendMail
          small
          mailId={mail.mail_id}
          to={
            mail.to_address === null ? (
              'l’indirizzo dell’ordine'
            ) : (
              <>
                <b>{mail.to_address}</b> o, se nell’ordine è cambiato, per l’indirizzo nuovo
              </>
            )
          }
          onSent={refresh}
        />
        <Link className={`ui-button ${buttonStyles.small}`} to={`/settings/mail/${mail.mail_id}`}>
          Vedi il messaggio
        </Link>
      </div>
    </Panel>
  );
}

function UnsealedEvening({ evening }: { evening: Waiting<'seals'> }) {
  return (
    <Panel as="li" className={styles.card}>
      <Head about={evening}>Mancano dei sigilli</Head>
      <p>
        Gli incassi di questa serata li certifica una biglietteria esterna, ma alcuni biglietti
        validi non hanno ancora il loro sigillo.
      </p>
      <p className={buttonStyles.actions}>
        <Link
          className={`ui-button ${buttonStyles.small}`}
          to={`/events/${encodeURIComponent(evening.event_id)}/seals`}
        >
          Vai ai sigilli
        </Link>
      </p>
    </Panel>
  );
}

interface GroupProps {
  title: string;
  shown: number;
  /** Larger than `shown` if there is another page. */ count: number;
  children: ReactNode;
}

function Group({ title, shown, count, children }: GroupProps) {
  if (shown === 0) return null;
  return (
    <section className={styles.inbox} aria-label={title}>
      <h2>
        {title} <span className={textStyles.soft}>{count}</span>
      </h2>
      <ul className={`${panelStyles.cards} ${styles.cards}`}>{children}</ul>
    </section>
  );
}

type OfOrder = Pick<Item, 'order_id' | 'number' | 'event_title' | 'event_starts_at' | 'buyer_name'>;

function Head({ about, children }: { about: OfOrder; children: ReactNode }) {
  return (
    <p className={panelStyles.cardTitle}>
      {about.order_id !== null && about.number !== null && (
        <Link
          className={`${textStyles.code} ${textStyles.strong}`}
          to={`/orders/${about.order_id}`}
        >
          {about.number}
        </Link>
      )}
      <b>{children}</b>
      <span className={textStyles.soft}>{joinParts(about.buyer_name, nameOfEvent(about))}</span>
    </p>
  );
}

function Refund({ refund }: { refund: Waiting<'refund' | 'refund_request'> }) {
  return (
    <Panel as="li" className={styles.card}>
      <Head about={refund}>{formatEuro(refund.amount_cents)}</Head>
      <p>
        <StateBadge {...refundWordsOf(refund)} />{' '}
        <span className={textStyles.soft}>
          {refund.long_pending
            ? `in corso dal ${formatListDate(refund.created_at)}`
            : formatListDate(refund.created_at)}
        </span>
      </p>
      {refund.seats.length > 0 && <p>{refund.seats.join(' · ')}</p>}
      {refund.reason !== null && <p>«{refund.reason}»</p>}
      {refund.failure !== null && <p className={textStyles.bad}>{failureWords(refund.failure)}</p>}
      {refund.long_pending && (
        <p className={textStyles.soft}>
          La banca ci mette più del solito: guarda il pagamento sul sito di Stripe.
        </p>
      )}
      <RefundActions refund={refund} />
    </Panel>
  );
}
