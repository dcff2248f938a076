/** The till of one evening: seats by name or number, ticket types by digit, payment by key. */
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useParams } from 'react-router-dom';
import { readCounter, readTill } from '#server/contract/counter.ts';
import { mostCounterSeats } from '#server/domain/counter/counter.ts';
import { formatCount, formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import type { BasketLine, Till } from './basket.ts';
import { Basket } from './basket.tsx';
import { SaleBuyer } from './buyer.tsx';
import { SaleReductions } from './reductions.tsx';
import { SaleGifts } from './gifts.tsx';
import { SaleOutcome } from './outcome.tsx';
import { PayDialog, Payments } from './pay.tsx';
import { useCaret, useTillKeys } from './till-keys.ts';
import { ExchangeBanner } from '#apps/admin/sell/exchange/banner.tsx';
import { ExchangeSum } from '#apps/admin/sell/exchange/sum-lines.tsx';
import { useExchange, type Exchanging } from '#apps/admin/sell/exchange/use-exchange.ts';
import { TypedLine } from './typed-line.tsx';
import { ContingentLegend, TillMap } from './till-map.tsx';
import { useTill } from './use-till.ts';
import { takesMoney, ways, waysOfExchange, type PayWay } from './ways.ts';
import { hasShift, type Counter } from '#apps/admin/print/printed.tsx';
import { OpenShift } from '#apps/admin/sell/shift/shift-open.tsx';
import styles from './till.module.css';

export function TillScreen() {
  const { eventId } = useParams() as { eventId: string };
  const [isOpening, setOpening] = useState(false);
  const counter = useEndpoint(readCounter, {}, { refetchOnWindowFocus: false });
  const till = useEndpoint(
    readTill,
    { params: { eventId } },
    { staleTime: 60_000, gcTime: 60_000, refetchOnWindowFocus: false },
  );
  return (
    <>
      <BackLink to="/sell">Vendi</BackLink>
      <Loaded query={counter}>
        {(desk) =>
          isOpening && !hasShift(desk) ? (
            <OpenShift counter={desk} />
          ) : (
            <Loaded query={till}>
              {(data) => (
                <OpenTill
                  key={data.event.id}
                  till={data}
                  counter={desk}
                  onOpen={() => setOpening(true)}
                />
              )}
            </Loaded>
          )
        }
      </Loaded>
    </>
  );
}

function Ended({ why }: { why: 'cancelled' | 'over' }) {
  const title = why === 'cancelled' ? 'Questo evento è annullato.' : 'Questo evento è finito.';
  return (
    <Empty icon="calendar" title={title}>
      <p>
        Non si vende più. Quello che hai venduto si restituisce da{' '}
        <Link to="/sell/sales">Vendite del turno</Link>.
      </p>
    </Empty>
  );
}

interface OpenTillProps {
  till: Till;
  counter: Counter;
  /** Opens a shift. */
  onOpen: () => void;
}

function OpenTill({ till, counter, onOpen }: OpenTillProps) {
  const exchanging = useExchange();
  const selling = useTill(till, counter, exchanging);
  const { map, way } = selling;
  return (
    <>
      <PageTitle title={till.event.title}>
        <p className={styles.when}>
          {joinParts(formatShortDate(till.event.starts_at), counter.shift?.till_name)}
        </p>
        {till.event.ended === null && (
          <Link to={`/sell/event/${encodeURIComponent(till.event.id)}/print`}>
            Stampa tutti i biglietti
          </Link>
        )}
      </PageTitle>
      {counter.shift === null && till.event.ended === null && (
        <NoShift exchanges={exchanging.exchange !== null} onOpen={onOpen} />
      )}
      {till.event.sale_paused && (
        <Notice tone="warn">
          Vendita sospesa: si cambia sala o manca la pianta (lo dice Salute). Poi si vende di nuovo.
        </Notice>
      )}
      {till.event.ended !== null ? (
        <Ended why={till.event.ended} />
      ) : till.pricing.length === 0 ? (
        <Empty icon="warning" title="Questo evento non ha prezzi.">
          <p>Senza prezzi non si può vendere: aggiungili nell’evento.</p>
        </Empty>
      ) : (
        <div className={styles.till}>
          <Side till={till} selling={selling} counter={counter} exchanging={exchanging} />
          <div>
            <TillMap
              till={till}
              map={map}
              mostSeats={counter.may_sell_groups ? mostCounterSeats : till.event.max_seats}
            />
            <ContingentLegend till={till} />
          </div>
        </div>
      )}
      {way !== null && (
        <Paying key={way} till={till} selling={selling} counter={counter} exchanging={exchanging} />
      )}
    </>
  );
}

/** Without a drawer no money is taken. */
function NoShift({ exchanges, onOpen }: { exchanges: boolean; onOpen: () => void }) {
  return (
    <Notice as="div" icon="wallet">
      <p>
        {exchanges
          ? 'Senza un turno aperto puoi fare un cambio che non costa niente. Per incassare, o restituire contanti, apri il turno.'
          : 'Senza un turno aperto puoi dare omaggi, prenotare posti e fare cambi che non costano niente. Per incassare apri il turno.'}
      </p>
      <Button label="Apri il turno" onClick={onOpen} />
    </Notice>
  );
}

/** The dialog of the chosen way to pay. */
function Paying({ till, selling, counter, exchanging }: SideProps) {
  const { way, basket, deal, line } = selling;
  if (way === null) return null;
  const { lines } = basket;
  return (
    <PayDialog
      way={way}
      total={deal.due}
      counter={counter}
      startsAt={till.event.starts_at}
      about={
        way === 'gift' ? (
          <SaleGifts eventId={till.event.id} lines={lines} />
        ) : (
          way === 'even' && <Total exchanging={exchanging} selling={selling} />
        )
      }
      busy={selling.isBusy}
      onSell={selling.sell}
      onClose={() => {
        selling.setWay(null);
        line.current?.focus();
      }}
    />
  );
}

interface SideProps {
  till: Till;
  selling: ReturnType<typeof useTill>;
  counter: Counter;
  exchanging: Exchanging;
}

/** The steps of a sale, from the top down. */
function Side({ till, selling, counter, exchanging }: SideProps) {
  const { map, line, basket, way, isBusy, canPay, deal } = selling;
  const open = waysFor(counter, exchanging.exchange === null ? null : deal.due);
  const { lines, current } = basket;
  const name = useRef<HTMLInputElement>(null);
  useTillKeys({
    open: way === null && !isBusy,
    ways: canPay ? open : [],
    onWay: selling.setWay,
    onClear: () => selling.takeOut(null),
    onBuyer: () => {
      flushSync(() => selling.setBuyerOpen(true));
      name.current?.focus();
    },
  });
  useCaret(line, way === null && map.ready);
  return (
    <div className={styles.side}>
      <TypedLine
        ref={line}
        ready={map.ready && !isBusy}
        hasBasket={lines.length > 0}
        said={selling.said}
        onSeats={selling.choose}
        onDigit={basket.giveType}
        onMove={basket.move}
        onGuest={basket.addGuest}
        onTakeOut={() => selling.takeOut(basket.marked)}
      />
      <Basket
        contingents={selling.contingents}
        lines={lines}
        current={current}
        onPick={basket.goTo}
        onType={basket.giveType}
        onGuest={basket.addGuest}
      />
      <SaleReductions till={till} {...selling.reducing} />
      <SaleGifts eventId={till.event.id} lines={lines.filter(({ cents }) => cents === 0)} />
      <Money selling={selling} counter={counter} exchanging={exchanging} open={open} />
      <SaleBuyer
        ref={name}
        buyer={selling.buyer}
        onChange={selling.setBuyer}
        isOpen={selling.isBuyerOpen}
        onToggle={selling.setBuyerOpen}
        onFound={() => line.current?.focus()}
      />
    </div>
  );
}

interface MoneyProps extends Omit<SideProps, 'till'> {
  open: readonly PayWay[];
}

/** What is to be paid and how, and how the last sale ended. */
function Money({ selling, counter, exchanging, open }: MoneyProps) {
  const { exchange, madeFrom, onGiveUp } = exchanging;
  return (
    <>
      {exchange !== null && <ExchangeBanner exchange={exchange} onGiveUp={onGiveUp} />}
      <Total exchanging={exchanging} selling={selling} />
      <Payments
        ways={open}
        disabled={!selling.canPay}
        onWay={selling.setWay}
        onClear={() => selling.takeOut(null)}
      />
      <SaleOutcome
        sending={selling.sending}
        gone={selling.gone}
        counter={counter}
        madeFrom={madeFrom}
        onRenew={selling.map.renew}
      />
    </>
  );
}

function Total({ exchanging: { exchange }, selling }: Pick<SideProps, 'exchanging' | 'selling'>) {
  const { lines } = selling.basket;
  const { sums, due } = selling.deal;
  if (exchange === null)
    return (
      <p className={styles.total} aria-live="polite">
        <span>{formatCount(countOf(lines), 'biglietto', 'biglietti')}</span>
        <strong>{formatEuro(due)}</strong>
      </p>
    );
  if (exchange.quote === null || sums === null || lines.length === 0) return null;
  return <ExchangeSum given={exchange.given} quote={exchange.quote} sums={sums} />;
}

/** Setting a price by hand needs a right, and money needs a shift. */
function waysFor({ may_price_by_hand, shift }: Counter, exchangeDue: number | null) {
  const offered = exchangeDue === null ? ways : waysOfExchange(exchangeDue);
  return offered
    .filter(({ way }) => way !== 'by_hand' || may_price_by_hand)
    .filter(({ way }) => shift !== null || !takesMoney(way));
}

function countOf(lines: readonly BasketLine[]): number {
  return lines.reduce((sum, { tickets }) => sum + tickets, 0);
}
